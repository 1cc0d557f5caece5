import type { ReactElement } from 'react'
import type { RequestFate, SimulationResult } from './simulate.ts'
import { SimulationChart } from './SimulationChart.tsx'

interface SimulationReportProps {
  readonly title: string
  readonly result: SimulationResult
  /** How much time the chart shows, in ms. */
  readonly duration: number
}

/** How a simulation went with one client: a verdict, a chart and the figures. */
export function SimulationReport({ title, result, duration }: SimulationReportProps): ReactElement {
  const { requests, calls, succeededCalls, failedCalls, finishedAt } = result
  const count = (fate: RequestFate) => requests.filter((request) => request.fate === fate).length
  const refused = count('refused')
  const isBanned = count('banned') > 0
  // One refusal is how a client learns of the limit. More of them show that it did not stop.
  const isAtRisk = isBanned || refused > 1
  const figures: readonly (readonly [label: string, value: string | number])[] = [
    ['Calls made', calls],
    ['Calls succeeded', succeededCalls],
    ['Requests sent', requests.length],
    ['Refused with 429', refused],
    ['Sent during a cool-down', count('in-cool-down')],
    ['Sent while banned', count('banned')],
    [
      failedCalls > 0 ? 'Gave up after' : 'Finished after',
      finishedAt === undefined ? 'not finished' : `${Math.round(finishedAt / 1_000)} s`,
    ],
  ]
  return (
    <section className="lab-report" aria-label={title}>
      <h3>{title}</h3>
      <p className={isAtRisk ? 'lab-verdict lab-verdict-bad' : 'lab-verdict'}>
        {isBanned ? 'Key banned' : isAtRisk ? `Ban risk: ${refused} requests refused` : 'No ban risk'}
      </p>
      <SimulationChart title={title} result={result} duration={duration} />
      <table>
        <tbody>
          {figures.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{typeof value === 'number' ? value.toLocaleString('en') : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
