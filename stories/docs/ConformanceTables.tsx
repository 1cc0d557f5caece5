import type { ReactElement } from 'react'
import yaml from '../../accessibility/openacr.yaml?raw'
import { conformanceSummary, readConformanceReport } from './conformanceReport.ts'
import { Marked } from './Reference.tsx'

const report = readConformanceReport(yaml)

/** The accessibility conformance report, from `accessibility/openacr.yaml`. */
export function ConformanceTables(): ReactElement {
  return (
    <>
      <p>{report.notes}</p>
      <p>{report.methods}</p>
      <p>
        <strong>{conformanceSummary(report)}</strong> ({report.date})
      </p>
      {report.tables.map(({ title, results }) => (
        <table key={title} className="reference reference-conformance">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">Level and remarks</th>
            </tr>
          </thead>
          <tbody>
            {results.map(({ number, name, level, notes }) => (
              <tr key={number}>
                <th scope="row">
                  {number} {name}
                </th>
                <td>
                  <strong>{level}</strong>
                  <br />
                  <Marked text={notes} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </>
  )
}
