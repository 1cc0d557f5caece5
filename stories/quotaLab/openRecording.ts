import type { CallTrace, Recording } from '../../src/client/recording.ts'
import { differencesOf, playRecording, readRecording } from '../../src/testing/replay.ts'
import type { RequestFate, SimulatedRequest, SimulationResult } from './simulate.ts'

/** A recording of the developer tools, and what this version makes of it. */
export interface OpenedRecording {
  /** Its text, to link to it. */
  readonly text: string
  readonly recorded: SimulationResult
  readonly now: SimulationResult
  /** What happens now otherwise: how many calls, and the first of them. */
  readonly differences: readonly string[]
}

/** @throws TypeError when the text is no recording */
export async function openRecording(text: string): Promise<OpenedRecording> {
  const recording = readRecording(text)
  const played = await playRecording(recording)
  const differences = recording.calls.flatMap((call, index) => differencesOf(call, played[index], recording))
  return {
    text,
    recorded: resultOf(recording, recording.calls),
    now: resultOf(
      recording,
      played.flatMap((call) => call ?? []),
    ),
    differences: differences.map(
      ({ operation, recorded, now }) => `${operation}: ${recorded} in the recording, ${now} today.`,
    ),
  }
}

function resultOf({ from, at: end }: Recording, calls: readonly CallTrace[]): SimulationResult {
  const ended = calls.flatMap(({ end: callEnd, startedAt }) => (callEnd ? [{ ...callEnd, startedAt }] : []))
  const canceled = ended.filter(({ result }) => result === 'cancelled').length
  const successes = ended.flatMap(({ at, result }) => (result === 'success' ? at - from : []))
  return {
    requests: requestsOf(calls).map(({ at, fate }) => ({ at: at - from, fate })),
    duration: Math.max(10_000, end - from),
    calls: calls.length - canceled,
    successes: successes.toSorted((one, other) => one - other),
    failedCalls: ended.length - canceled - successes.length,
    finishedAt: ended.length < calls.length ? undefined : Math.max(0, ...ended.map(({ at }) => at - from)),
    longestCall: Math.max(0, ...ended.map(({ duration }) => duration)),
  }
}

/** What became of each request. Times are epoch ms. */
function requestsOf(calls: readonly CallTrace[]): readonly SimulatedRequest[] {
  const attempts = calls
    .flatMap((call) => call.attempts)
    .flatMap(({ sentAt, result }) => (sentAt === undefined || !result ? [] : [{ sentAt, result }]))
    .toSorted((one, other) => one.sentAt - other.sentAt)
  const refusals = attempts.flatMap(({ sentAt, result }) => {
    if (!('status' in result) || (result.status !== 429 && result.status !== 403)) return []
    const { retryIn } = result.rateLimitHeaders
    const at = sentAt + result.duration
    return retryIn === undefined ? [] : [{ at, until: at + retryIn }]
  })
  return attempts.map(({ sentAt, result }) => {
    const isCoolingDown = refusals.some(({ at, until }) => at < sentAt && sentAt < until)
    return { at: sentAt, fate: fateOf(result, isCoolingDown) }
  })
}

function fateOf(result: NonNullable<CallTrace['attempts'][number]['result']>, isCoolingDown: boolean): RequestFate {
  if (!('status' in result)) return 'failed'
  const { status, rateLimitHeaders } = result
  if (status === 403 && rateLimitHeaders.retryIn !== undefined) return 'banned'
  if (status === 429) return isCoolingDown ? 'in-cool-down' : 'refused'
  return status >= 200 && status < 300 ? 'succeeded' : 'failed'
}

/** The recording of the page's address, `#recording=…`, also where the playground is around it; `undefined` if it has none. */
export async function recordingOfAddress(): Promise<string | undefined> {
  // Storybook writes what else is chosen behind it.
  const [, base64] = /[#&]recording=([\w-]+)/.exec(location.hash + parentHash()) ?? []
  if (base64 === undefined) return undefined
  const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}

/** A recording for an address. */
export async function fragmentOf(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `#recording=${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

function parentHash(): string {
  try {
    return parent.location.hash
  } catch {
    return '' // another origin
  }
}
