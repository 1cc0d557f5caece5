import { type ReactElement, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { FiguresTable } from './FiguresTable.tsx'
import './QuotaLab.css'
import { axisEnd, requestsByMinute } from './requestsByMinute.ts'
import { type ClientKind, maxDuration, quotaPerMinute, type SimulationResult } from './simulate.ts'
import { SimulationReport } from './SimulationReport.tsx'
import { summarize } from './summarize.ts'
import { type TrafficScenarioName, trafficScenarios } from './trafficScenarios.ts'
import { clientKinds, type Simulations, useSimulations } from './useSimulations.ts'

const scenarioNames = Object.keys(trafficScenarios) as TrafficScenarioName[]
const plans: readonly (readonly [plan: PlanName, title: string])[] = [
  ['free', 'Free: 60 a minute'],
  ['pro', 'Pro: 300 a minute'],
  ['business', 'Business: 1,000 a minute'],
]
const clients: Readonly<Record<ClientKind, { readonly title: string; readonly policy: string }>> = {
  'petstore-react': { title: 'petstore-react', policy: 'One gate for the whole API key' },
  'retry-after': { title: 'Retry-After', policy: 'Each request waits on its own, as good libraries do' },
  fetch: { title: 'Plain fetch', policy: 'Each request retries every second, ten times' },
}

/**
 * Shows what the rate limit does to an app: with petstore-react, with a library that honors `Retry-After` for each
 * request, and with plain `fetch`. Choose a scenario and a plan: minutes pass within a second.
 */
export function QuotaLab({
  initialScenario = 'burst',
}: {
  readonly initialScenario?: TrafficScenarioName
}): ReactElement {
  const [scenario, setScenario] = useState<TrafficScenarioName>(initialScenario)
  const [plan, setPlan] = useState<PlanName>('free')
  const [hasChosen, setChosen] = useState(false)
  const simulations = useSimulations(scenario, plan)
  const isRunning = simulations?.scenario !== scenario || simulations.plan !== plan

  return (
    <div className="lab" lang="en" dir="ltr">
      <div className="lab-controls" onChange={() => setChosen(true)}>
        <label>
          Scenario
          <select value={scenario} onChange={(event) => setScenario(event.target.value as TrafficScenarioName)}>
            {scenarioNames.map((name) => (
              <option key={name} value={name}>
                {trafficScenarios[name].title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Plan
          <select value={plan} onChange={(event) => setPlan(event.target.value as PlanName)}>
            {plans.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <p className="lab-description">{trafficScenarios[scenario].description}</p>
      </div>
      {/* Nobody asked for the first results, so nothing announces them. */}
      <output className="petstore-visually-hidden">
        {hasChosen && (isRunning ? 'Simulating…' : announcementOf(simulations))}
      </output>
      <Reports simulations={simulations} quota={quotaPerMinute(scenario, plan)} isRunning={isRunning} />
    </div>
  )
}

function announcementOf({ results }: Simulations): string {
  const sentences = clientKinds.map((kind) => {
    const { score, outcome } = summarize(results[kind])
    return `${clients[kind].title}: ${score}, ${outcome}.`
  })
  return sentences.join(' ')
}

interface ReportsProps {
  readonly simulations: Simulations | undefined
  readonly quota: number
  readonly isRunning: boolean
}

/** One report beside the other, with the same axes. They have their place before there are results. */
function Reports({ simulations, quota, isRunning }: ReportsProps): ReactElement {
  const results = simulations?.results
  const duration = Math.max(10_000, ...clientKinds.map((kind) => endOf(results?.[kind])))
  const steps = (kind: ClientKind) => requestsByMinute(results?.[kind].requests ?? [], duration)
  const axes = { duration, quota, end: axisEnd(clientKinds.flatMap(steps), quota) }
  return (
    <>
      <div className="lab-reports" aria-busy={isRunning}>
        {clientKinds.map((kind) => (
          <SimulationReport key={kind} {...clients[kind]} result={results?.[kind]} steps={steps(kind)} axes={axes} />
        ))}
      </div>
      <ChartLegend quota={quota} />
      <FiguresTable
        titles={clientKinds.map((kind) => clients[kind].title)}
        results={results && clientKinds.map((kind) => results[kind])}
      />
    </>
  )
}

/** The end of the last second that was simulated, in ms. */
function endOf(result: SimulationResult | undefined): number {
  return Math.min(maxDuration, (result?.samples.at(-1)?.at ?? 0) + 1_000)
}
