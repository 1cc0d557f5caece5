import type { ReactElement } from 'react'
import type { Step } from './requestsByMinute.ts'
import type { SimulationResult } from './simulate.ts'
import { type ChartAxes, SimulationChart } from './SimulationChart.tsx'
import { summarize } from './summarize.ts'

interface SimulationReportProps {
  readonly title: string
  readonly policy: string
  /** `undefined` until the simulation has ended. */
  readonly result: SimulationResult | undefined
  readonly steps: readonly Step[]
  readonly axes: ChartAxes
}

const riskTexts = { none: 'No ban risk', 'ban risk': 'Ban risk', banned: 'Key banned' } as const

/** How a simulation went with one client: a verdict and a chart. */
export function SimulationReport({ title, policy, result, steps, axes }: SimulationReportProps): ReactElement {
  const summary = result && summarize(result)
  return (
    <section className="lab-report" aria-label={title}>
      <h2>{title}</h2>
      <p className="lab-policy">{policy}</p>
      <p className="lab-verdict" data-risk={summary?.risk} data-success={summary?.isSuccess}>
        <strong>{summary?.score ?? '–'}</strong> <span>{summary?.outcome ?? 'Simulating…'}</span>
      </p>
      <SimulationChart steps={steps} samples={result?.samples ?? []} axes={axes} />
      <p className="lab-details">
        {summary && (
          <>
            <strong>{riskTexts[summary.risk]}.</strong> {summary.details}
          </>
        )}
      </p>
    </section>
  )
}
