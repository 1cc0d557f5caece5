import { type FormEvent, type ReactElement, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import './QuotaLab.css'
import { type ClientKind, type SimulationResult, simulate } from './simulate.ts'
import { SimulationReport } from './SimulationReport.tsx'
import { type TrafficScenarioName, trafficScenarios } from './trafficScenarios.ts'

const scenarioNames = Object.keys(trafficScenarios) as TrafficScenarioName[]
const plans: readonly (readonly [plan: PlanName, title: string])[] = [
  ['free', 'Free: 60 a minute'],
  ['pro', 'Pro: 300 a minute'],
  ['business', 'Business: 1,000 a minute'],
]
const clients: readonly (readonly [clientKind: ClientKind, title: string])[] = [
  ['petstore-react', 'With petstore-react'],
  ['fetch', 'With plain fetch, retrying every second'],
]

type Results = Readonly<Record<ClientKind, SimulationResult>>

/**
 * Shows what the rate limit does to an app, with petstore-react and with plain `fetch`. Choose a scenario and a plan,
 * then press "Run simulation": minutes pass within a second.
 */
export function QuotaLab({
  initialScenario = 'burst',
}: {
  readonly initialScenario?: TrafficScenarioName
}): ReactElement {
  const [scenario, setScenario] = useState<TrafficScenarioName>(initialScenario)
  const [plan, setPlan] = useState<PlanName>('free')
  const [isRunning, setRunning] = useState(false)
  const [results, setResults] = useState<Results>()

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isRunning) return
    setRunning(true)
    setResults(undefined)
    const [withPetstoreReact, withFetch] = await Promise.all([
      simulate(scenario, plan, 'petstore-react'),
      simulate(scenario, plan, 'fetch'),
    ])
    setResults({ 'petstore-react': withPetstoreReact, fetch: withFetch })
    setRunning(false)
  }

  return (
    <div className="lab">
      <form className="lab-controls" onSubmit={(event) => void run(event)}>
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
        <button type="submit" className="petstore-button petstore-button-primary" aria-disabled={isRunning}>
          Run simulation
        </button>
        <p className="lab-description">{trafficScenarios[scenario].description}</p>
      </form>
      <output>{isRunning ? 'Simulating…' : ''}</output>
      {results && (
        <div className="lab-reports">
          {clients.map(([clientKind, title]) => (
            <SimulationReport
              key={clientKind}
              title={title}
              result={results[clientKind]}
              duration={longestDuration(results)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

/** Both charts have the same time axis, so that they can be compared. */
function longestDuration(results: Results): number {
  const durations = Object.values(results).map(({ samples }) => samples.at(-1)?.at ?? 0)
  return Math.max(10_000, ...durations)
}
