import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { drawPicture } from './drawPicture.ts'
import { FiguresTable } from './FiguresTable.tsx'
import './QuotaLab.css'
import { percent, RequestChart } from './RequestChart.tsx'
import { fateTitles, scaleFor } from './requestDots.ts'
import { type ClientKind, minuteStarts, type SimulationResult } from './simulate.ts'
import { describeChart, formatNumber, headlineOf, summarize } from './summarize.ts'
import { type TrafficScenarioName, trafficScenarios } from './trafficScenarios.ts'
import { usePlayback } from './usePlayback.ts'
import { clientKinds, type Simulations, useSimulations } from './useSimulations.ts'

const scenarioNames = Object.keys(trafficScenarios) as TrafficScenarioName[]
const plans: readonly (readonly [plan: PlanName, title: string])[] = [
  ['free', 'Free: 60 a minute'],
  ['pro', 'Pro: 300 a minute'],
  ['business', 'Business: 1,000 a minute'],
]
const clients: Readonly<Record<ClientKind, Pick<Lane, 'title' | 'policy'>>> = {
  'petstore-react': { title: 'petstore-react', policy: 'One gate for the whole API key' },
  'retry-after': { title: 'Retry per request', policy: 'Each request waits on its own for Retry-After' },
  fetch: { title: 'Plain fetch', policy: 'Each request retries every second, ten times' },
}

/** A contender. */
interface Lane {
  readonly title: string
  readonly policy: string
  /** `undefined` until the simulation has ended. */
  readonly result: SimulationResult | undefined
}

/** What can be chosen. Storybook keeps it in the address. */
interface LabChoice {
  readonly scenario: TrafficScenarioName
  readonly plan: PlanName
}

interface QuotaLabProps extends Partial<LabChoice> {
  /** Called when someone chooses. */
  readonly onChoose?: (choice: LabChoice) => void
}

/**
 * Shows what the rate limit does to an app: with petstore-react, with a library that honors `Retry-After` for each
 * request, and with plain `fetch`. Minutes pass within a second.
 */
export function QuotaLab({ scenario = 'four-tabs', plan = 'free', onChoose }: QuotaLabProps): ReactElement {
  const [choice, setChoice] = useState<LabChoice>({ scenario, plan })
  const [hasChosen, setChosen] = useState(false)
  const labRef = useRef<HTMLDivElement>(null)
  const simulations = useSimulations(choice.scenario, choice.plan)
  const isRunning = simulations?.scenario !== choice.scenario || simulations.plan !== choice.plan
  const shown = isRunning ? undefined : simulations
  const { headline, description, lanes, windowStarts } = simulationView(choice, shown)
  const results = lanes.flatMap(({ result }) => result ?? [])
  const { progress, restart } = usePlayback(shown)

  function choose(change: Partial<LabChoice>): void {
    const next = { ...choice, ...change }
    setChosen(true)
    setChoice(next)
    onChoose?.(next)
  }

  const duration = Math.max(10_000, ...results.map((result) => result.duration))

  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(linkTo(choice))
  }

  async function copyPicture(): Promise<void> {
    if (!labRef.current) return
    const drawn = lanes.flatMap(({ title, result }) => (result ? [{ title, result }] : []))
    const picture = drawPicture(labRef.current, { headline, description, lanes: drawn, duration })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
  }

  return (
    <div className="lab" lang="en" dir="ltr" ref={labRef}>
      <header className="lab-head">
        <h2>{headline}</h2>
        <p>{description}</p>
      </header>
      <div className="lab-controls">
        <label>
          Scenario
          <select
            value={choice.scenario}
            onChange={(event) => choose({ scenario: event.target.value as TrafficScenarioName })}
          >
            {scenarioNames.map((name) => (
              <option key={name} value={name}>
                {trafficScenarios[name].title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Plan
          <select value={choice.plan} onChange={(event) => choose({ plan: event.target.value as PlanName })}>
            {plans.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <div className="lab-buttons">
          <button type="button" className="petstore-button" aria-disabled={isRunning} onClick={restart}>
            Play again
          </button>
          <CopyButton onCopy={copyLink}>Copy link</CopyButton>
          <CopyButton onCopy={copyPicture}>Copy picture</CopyButton>
        </div>
      </div>
      {/* Nobody asked for the first results, so nothing announces them. */}
      <output className="petstore-visually-hidden">
        {hasChosen && (isRunning ? 'Simulating…' : announcementOf(headline, lanes))}
      </output>
      <Lanes lanes={lanes} duration={duration} windowStarts={windowStarts} progress={progress} isRunning={isRunning} />
      <ChartLegend results={results} />
      <FiguresTable titles={lanes.map(({ title }) => title)} results={results} />
    </div>
  )
}

interface LabView {
  readonly headline: string
  readonly description: string
  readonly lanes: readonly Lane[]
  /** When windows of the quota begin, in ms. */
  readonly windowStarts: readonly number[]
}

function simulationView({ scenario }: LabChoice, simulations: Simulations | undefined): LabView {
  const results = simulations?.results
  return {
    headline: results ? headlineOf(results) : 'Simulating three clients with one API key each…',
    description: trafficScenarios[scenario].description,
    lanes: clientKinds.map((kind) => ({ ...clients[kind], result: results?.[kind] })),
    windowStarts: minuteStarts(6 * 60_000),
  }
}

function announcementOf(headline: string, lanes: readonly Lane[]): string {
  const sentences = lanes.flatMap(({ title, result }) =>
    result
      ? [
          `${title}: ${formatNumber(result.successes.length)} of ${formatNumber(result.calls)}. ${summarize(result).verdict}.`,
        ]
      : [],
  )
  return [headline, ...sentences].join(' ')
}

/** An address of the playground that opens on the same choice. */
function linkTo({ scenario, plan }: LabChoice): string {
  return new URL(`./?path=/story/quota-lab--four-tabs&args=scenario:${scenario};plan:${plan}`, location.href).href
}

interface LanesProps {
  readonly lanes: readonly Lane[]
  readonly duration: number
  readonly windowStarts: readonly number[]
  readonly progress: number
  readonly isRunning: boolean
}

/** As in the styles. In px. */
const chartHeight = 104

/** One lane below the other, on the same scale of time and of requests. They have their place before there are results. */
function Lanes({ lanes, duration, windowStarts, progress, isRunning }: LanesProps): ReactElement {
  const axisRef = useRef<HTMLOListElement>(null)
  const width = useWidth(axisRef)
  const scale = scaleFor(
    lanes.map(({ result }) => result?.requests ?? []),
    { duration, width, height: chartHeight },
  )
  const starts = windowStarts.filter((start) => start < duration)
  return (
    <div className="lab-lanes" aria-busy={isRunning}>
      {lanes.map((lane) => {
        const bannedAt = lane.result && summarize(lane.result).bannedAt
        return (
          <section key={lane.title} className="lab-lane" aria-label={lane.title}>
            <Verdict lane={lane} time={progress * duration} isOver={progress === 1} />
            <figure>
              <figcaption>{lane.title}</figcaption>
              <p className="petstore-visually-hidden">{lane.result && describeChart(lane.result, fateTitles)}</p>
              <RequestChart {...{ scale, windowStarts: starts, bannedAt, progress }} result={lane.result} />
            </figure>
          </section>
        )
      })}
      <ol className="lab-axis" ref={axisRef} dir="ltr" aria-hidden="true">
        {timesOf(duration, width).map((time) => (
          <li key={time} style={{ insetInlineStart: percent(time / duration) }}>
            {formatClock(time)}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The times that an axis of a width (px) has room for, in ms. */
function timesOf(duration: number, width: number): readonly number[] {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const most = Math.min(6, width / (3.5 * rem))
  const step = [2, 5, 10, 20, 30, 60, 120, 180].find((seconds) => duration / (seconds * 1_000) <= most) ?? 300
  const times: number[] = []
  for (let time = 0; time < duration * 0.97; time += step * 1_000) times.push(time)
  return times
}

function formatClock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

interface VerdictProps {
  readonly lane: Lane
  /** How much time has been played, in ms. */
  readonly time: number
  readonly isOver: boolean
}

/** How many calls have succeeded so far, and in the end what that means. */
function Verdict({ lane: { title, policy, result }, time, isOver }: VerdictProps): ReactElement {
  const summary = result && summarize(result)
  const hasBeenBanned = summary?.bannedAt !== undefined && summary.bannedAt <= time
  const isTold = isOver || hasBeenBanned
  return (
    <div
      className="lab-verdict"
      data-risk={isTold ? summary?.risk : undefined}
      data-success={isTold && summary?.isSuccess}
    >
      <h3>{title}</h3>
      <p className="lab-policy">{policy}</p>
      <p className="lab-score">
        <strong>{result ? formatNumber(result.successes.filter((at) => isOver || at <= time).length) : '–'}</strong>
        {result && ` of ${formatNumber(result.calls)}`}
      </p>
      <p className="lab-outcome">
        {summary && isTold && <strong>{summary.verdict}.</strong>} {summary && isOver && summary.details}
      </p>
    </div>
  )
}

interface CopyButtonProps {
  readonly onCopy: () => Promise<void>
  readonly children: ReactNode
}

/** Says on itself whether it has copied. */
function CopyButton({ onCopy, children }: CopyButtonProps): ReactElement {
  const [result, setResult] = useState<'Copied' | 'Not copied'>()

  async function copy(): Promise<void> {
    await onCopy().then(
      () => setResult('Copied'),
      () => setResult('Not copied'),
    )
    setTimeout(() => setResult(undefined), 2_000)
  }

  return (
    <button type="button" className="petstore-button lab-copy" onClick={() => void copy()}>
      <span data-hidden={result !== undefined}>{children}</span>
      <output>{result}</output>
    </button>
  )
}

/** The width of an element, in px. */
function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => setWidth(Math.max(160, Math.round(element.clientWidth)))
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
