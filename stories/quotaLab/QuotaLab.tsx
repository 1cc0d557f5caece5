import { type FormEvent, type ReactElement, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import './QuotaLab.css'
import { StormChart } from './StormChart.tsx'
import { type Contender, type Outcome, type Sent, simulate } from './simulate.ts'
import { type Storm, type StormName, storms } from './storms.ts'

const stormNames = Object.keys(storms) as StormName[]
const plans: readonly (readonly [name: PlanName, title: string])[] = [
  ['free', 'Free: 60 a minute'],
  ['pro', 'Pro: 300 a minute'],
  ['business', 'Business: 1,000 a minute'],
]
const contenders: readonly (readonly [contender: Contender, title: string])[] = [
  ['petstore-react', 'With petstore-react'],
  ['fetch', 'With plain fetch, trying again every second'],
]

type Outcomes = Readonly<Record<Contender, Outcome>>

/**
 * What the rate limit does to an app, and what the gate does about it. Pick what happens and the key's plan, press
 * "Storm", and see minutes of virtual time in a second, beside what plain fetch does to the same service.
 */
export function QuotaLab({ initialStorm = 'burst' }: { readonly initialStorm?: StormName }): ReactElement {
  const [stormName, setStormName] = useState<StormName>(initialStorm)
  const [plan, setPlan] = useState<PlanName>('free')
  const [isRunning, setRunning] = useState(false)
  const [outcomes, setOutcomes] = useState<Outcomes>()
  const storm: Storm = storms[stormName]

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isRunning) return
    setRunning(true)
    setOutcomes(undefined)
    const [ours, plain] = await Promise.all([
      simulate(stormName, plan, 'petstore-react'),
      simulate(stormName, plan, 'fetch'),
    ])
    setOutcomes({ 'petstore-react': ours, fetch: plain })
    setRunning(false)
  }

  return (
    <div className="lab">
      <form className="lab-controls" onSubmit={(event) => void run(event)}>
        <label>
          What happens
          <select value={stormName} onChange={(event) => setStormName(event.target.value as StormName)}>
            {stormNames.map((name) => (
              <option key={name} value={name}>
                {storms[name].title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Plan of the key
          <select value={plan} onChange={(event) => setPlan(event.target.value as PlanName)}>
            {plans.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="petstore-button petstore-button-primary" aria-disabled={isRunning}>
          Storm
        </button>
        <p className="lab-about">{storm.about}</p>
      </form>
      <output>{isRunning ? 'The storm is on…' : ''}</output>
      {outcomes && (
        <div className="lab-results">
          {contenders.map(([contender, title]) => (
            <Result key={contender} title={title} outcome={outcomes[contender]} span={spanOf(outcomes)} />
          ))}
        </div>
      )}
    </div>
  )
}

/** Both charts show the same time. */
function spanOf(outcomes: Outcomes): number {
  const ends = Object.values(outcomes).map(({ moments }) => moments.at(-1)?.at ?? 0)
  return Math.max(10_000, ...ends)
}

const count = ({ sent }: Outcome, fate: Sent['fate']) => sent.filter((one) => one.fate === fate).length

function Result({ title, outcome, span }: { title: string; outcome: Outcome; span: number }): ReactElement {
  const isBanned = count(outcome, 'banned') > 0
  const refused = count(outcome, 'refused')
  // What was under way together with the first refusal could not know better.
  const isInDanger = isBanned || refused > 1
  const rows: readonly (readonly [what: string, value: string | number])[] = [
    ['Calls of the app', outcome.calls],
    ['Calls succeeded', outcome.succeeded],
    ['Requests sent', outcome.sent.length],
    ['Refused with 429', refused],
    ['Sent during a cool-down', count(outcome, 'in-cool-down')],
    ['Sent while banned', count(outcome, 'banned')],
    ['Over after', outcome.settledAt === undefined ? 'not over' : `${Math.round(outcome.settledAt / 1_000)} s`],
  ]
  return (
    <section className="lab-result" aria-label={title}>
      <h3>{title}</h3>
      <p className={isInDanger ? 'lab-verdict lab-verdict-bad' : 'lab-verdict'}>
        {isBanned
          ? 'The key was banned.'
          : isInDanger
            ? `The service had to refuse ${refused} times.`
            : 'The key was never in danger.'}
      </p>
      <StormChart outcome={outcome} span={span} title={title} />
      <table>
        <tbody>
          {rows.map(([what, value]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{typeof value === 'number' ? value.toLocaleString('en') : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
