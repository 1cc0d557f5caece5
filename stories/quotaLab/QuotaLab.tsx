import { type ReactElement, useState } from 'react'
import { planTitles } from '../../.storybook/toolbar.ts'
import { Choice } from '../support/Choice.tsx'
import { CopyButton } from '../support/CopyButton.tsx'
import { storyLink } from '../support/storyLink.ts'
import './QuotaLab.css'
import { ChartLegend, RequestChart, TimeAxis } from './RequestChart.tsx'
import { scaleFor } from './requestDots.ts'
import type { LabChoice, Results } from './simulateAll.ts'
import { formatNumber, headlineOf, summarize } from './summarize.ts'
import { type TrafficScenario, type TrafficScenarioName, trafficScenarios } from './trafficScenarios.ts'
import { useSimulations } from './useSimulations.ts'

const scenarioTitles = Object.fromEntries(
  Object.entries(trafficScenarios).map(([name, { title }]) => [name, title]),
) as Record<TrafficScenarioName, string>

const contenders = [
  { kind: 'petstore-react', title: 'petstore-react', policy: 'All requests of the API key wait their turn' },
  { kind: 'retry-after', title: 'Retry per request', policy: 'Each request waits on its own for Retry\u2011After' },
  { kind: 'fetch', title: 'Plain fetch', policy: 'Each request retries every second, ten times' },
] as const

interface QuotaLabProps extends Partial<LabChoice> {
  /** Called when someone chooses a scenario or a plan. */
  readonly onChoose?: (choice: LabChoice) => void
}

/**
 * Shows what the request limit does to an app: with petstore-react, with a library that honors `Retry-After` for each
 * request, and with plain `fetch`. Minutes pass within a second.
 */
export function QuotaLab({ scenario = 'four-tabs', plan = 'free', onChoose }: QuotaLabProps): ReactElement {
  const [choice, setChoice] = useState<LabChoice>({ scenario, plan })
  const [hasChosen, setChosen] = useState(false)
  const results = useSimulations(choice)
  const headline = results ? headlineOf(results) : 'Simulating three clients with one API key each…'
  const { description, isDayUsedUp }: TrafficScenario = trafficScenarios[choice.scenario]

  function choose(change: Partial<LabChoice>): void {
    const next = { ...choice, ...change }
    setChosen(true)
    setChoice(next)
    onChoose?.(next)
  }

  return (
    <div className="lab" lang="en" dir="ltr" data-limit={isDayUsedUp ? 'day' : 'minute'}>
      <div className="lab-controls">
        <Choice
          label="Scenario"
          value={choice.scenario}
          titles={scenarioTitles}
          onChange={(name) => choose({ scenario: name })}
        />
        <Choice label="Plan" value={choice.plan} titles={planTitles} onChange={(name) => choose({ plan: name })} />
        <CopyButton onCopy={() => navigator.clipboard.writeText(storyLink('quota-lab--four-tabs', { ...choice }))}>
          Copy link
        </CopyButton>
      </div>
      <header className="lab-head">
        <h2>{headline}</h2>
        <p className="lab-quiet">{description}</p>
      </header>
      {/* The first results are not announced: nobody has chosen anything yet. */}
      <output className="petstore-visually-hidden">
        {hasChosen && (results ? announcementOf(headline, results) : 'Simulating…')}
      </output>
      <Lanes results={results} />
      <ChartLegend />
    </div>
  )
}

function announcementOf(headline: string, results: Results): string {
  const sentences = contenders.map(({ kind, title }) => {
    const { successes, calls } = results[kind]
    return `${title}: ${formatNumber(successes)} of ${formatNumber(calls)}. ${summarize(results[kind]).verdict}.`
  })
  return [headline, ...sentences].join(' ')
}

/** A lane for each client, all on one scale of time and requests. They have their place before there are results. */
function Lanes({ results }: { readonly results: Results | undefined }): ReactElement {
  const scale = scaleFor(results ? Object.values(results) : [])
  return (
    <div className="lab-lanes" aria-busy={!results}>
      {contenders.map(({ kind, title, policy }) => {
        const result = results?.[kind]
        const summary = result && summarize(result)
        return (
          <section
            key={kind}
            className="lab-lane"
            aria-label={title}
            data-risk={summary?.risk}
            data-success={summary?.isSuccess}
          >
            <div className="lab-verdict">
              <h3>{title}</h3>
              <p className="lab-quiet">{policy}</p>
              <p className="lab-score">
                <strong>{result ? formatNumber(result.successes) : '–'}</strong>
                {result && <span>{` of ${formatNumber(result.calls)}`}</span>}
              </p>
              <p className="lab-outcome lab-quiet">
                {summary && <strong>{`${summary.verdict}. `}</strong>}
                <span>{summary?.details}</span>
              </p>
            </div>
            <RequestChart result={result} scale={scale} />
          </section>
        )
      })}
      <TimeAxis {...scale} />
    </div>
  )
}
