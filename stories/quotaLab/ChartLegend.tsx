import type { ReactElement } from 'react'
import { fateTitles } from './requestDots.ts'
import type { RequestFate, SimulationResult } from './simulate.ts'

/** What the dots of the charts mean. */
export function ChartLegend({ results }: { readonly results: readonly SimulationResult[] }): ReactElement {
  const hasFailures = results.some(({ requests }) => requests.some(({ fate }) => fate === 'failed'))
  // The simulated service never fails otherwise.
  const shown = (Object.keys(fateTitles) as RequestFate[]).filter((fate) => fate !== 'failed' || hasFailures)
  return (
    <ul className="lab-legend">
      <li>Each dot is a request. Above the line it got through.</li>
      {shown.map((fate) => (
        <li key={fate}>
          <svg className="lab-swatch" viewBox="0 0 10 10" aria-hidden="true">
            <path className={`lab-dot-${fate}`} d="M0 0h10v10h-10z" />
          </svg>
          {fateTitles[fate]}
        </li>
      ))}
    </ul>
  )
}
