import { type ClientKind, maxDuration, type RequestFate, type SimulationResult } from './simulate.ts'

/** How a simulation ended, in words. */
export interface Summary {
  readonly risk: 'none' | 'ban risk' | 'banned'
  /** Whether each call succeeded, without a risk. */
  readonly isSuccess: boolean
  /** When the key was banned, in ms since the simulation began; `undefined` if it was not. */
  readonly bannedAt: number | undefined
  /** "Key banned after 31 s", "No ban risk". */
  readonly verdict: string
  /** "360 requests, none refused. Done after 281 s." */
  readonly details: string
}

export function summarize(result: SimulationResult): Summary {
  const { requests, calls, successes } = result
  const refusals = refusalsOf(result)
  const bannedAt = requests.find(({ fate }) => fate === 'banned')?.at
  // One refusal is how a client learns of the limit. More of them show that it did not stop.
  const risk = bannedAt !== undefined ? 'banned' : refusals > 1 ? 'ban risk' : 'none'
  const verdicts = {
    banned: `Key banned after ${formatSeconds(bannedAt ?? 0)}`,
    'ban risk': 'Ban risk',
    none: 'No ban risk',
  }
  const sent = `${formatNumber(requests.length)} ${requests.length === 1 ? 'request' : 'requests'}`
  return {
    risk,
    isSuccess: risk === 'none' && successes.length === calls,
    bannedAt,
    verdict: verdicts[risk],
    details: `${sent}, ${refusals === 0 ? 'none' : formatNumber(refusals)} refused. ${endingOf(result)}.`,
  }
}

const refusalsOf = ({ requests }: SimulationResult) =>
  requests.filter(({ fate }) => fate !== 'succeeded' && fate !== 'failed').length

/** A client that gives up early has not finished early. */
function endingOf(result: SimulationResult): string {
  const { failedCalls, finishedAt, longestCall } = result
  if (finishedAt === undefined) return `Still waiting after ${maxDuration / 60_000} minutes`
  if (failedCalls === 0) return `Done after ${formatSeconds(finishedAt)}`
  return longestCall < 1_000 ? 'Failed at once' : `Gave up after ${formatSeconds(finishedAt)}`
}

/** The whole lab in one sentence or two. */
export function headlineOf(results: Readonly<Record<ClientKind, SimulationResult>>): string {
  const { 'petstore-react': ours, ...others } = results
  const { calls, successes } = ours
  const gotThrough = successes.length === calls ? `all ${formatNumber(calls)}` : `${successes.length} of ${calls}`
  const sentence = `petstore-react gets ${gotThrough} calls through.`
  const summaries = Object.values(others).map(summarize)
  const bans = summaries.flatMap(({ bannedAt }) => bannedAt ?? [])
  const first = formatSeconds(Math.min(...bans))
  if (successes.length === 0) {
    // No longer than the others, whose three lines have their place on a phone before there are results.
    return bans.length > 0
      ? `Nothing gets through today. Plain retries get the API key banned after ${first}.`
      : `Nothing gets through today. petstore-react stops after ${ours.requests.length} request.`
  }
  if (bans.length === summaries.length) return `${sentence} Without it, the API key is banned after ${first}.`
  if (bans.length > 0) return `${sentence} Plain retries get the API key banned after ${first}.`
  const refusals = Math.max(...Object.values(others).map(refusalsOf))
  return refusals === 0
    ? `${sentence} So does everyone else: the quota is enough.`
    : `${sentence} Without it, ${formatNumber(refusals)} requests are refused.`
}

/** What a chart shows, for those who do not see it. */
export function describeChart(
  { requests }: SimulationResult,
  fateTitles: Readonly<Record<RequestFate, string>>,
): string {
  const parts = Object.entries(fateTitles).flatMap(([fate, title]) => {
    const times = requests.filter((request) => request.fate === fate).map(({ at }) => at)
    if (times.length === 0) return []
    const [from, to] = [formatSeconds(Math.min(...times)), formatSeconds(Math.max(...times))]
    return `${formatNumber(times.length)} ${title}, ${from === to ? `at ${from}` : `from ${from} to ${to}`}`
  })
  return parts.length === 0 ? 'No requests.' : `Requests over time: ${parts.join('; ')}.`
}

/** Every figure of a result by its label. */
export function figuresOf(result: SimulationResult): Readonly<Record<string, string>> {
  const { requests, calls, successes, failedCalls, finishedAt, longestCall } = result
  const count = (fate: RequestFate) => formatNumber(requests.filter((request) => request.fate === fate).length)
  const end = finishedAt === undefined ? 'not finished' : formatSeconds(finishedAt)
  const hasGivenUp = failedCalls > 0
  return {
    'Calls that somebody needs': formatNumber(calls),
    'Calls succeeded': formatNumber(successes.length),
    'Calls failed': formatNumber(failedCalls),
    'Requests sent': formatNumber(requests.length),
    'Refused with 429': count('refused'),
    'Sent during a cool-down': count('in-cool-down'),
    'Sent while banned': count('banned'),
    'Longest call': finishedAt === undefined ? 'not finished' : formatSeconds(longestCall),
    'Finished after': hasGivenUp ? '–' : end,
    'Gave up after': hasGivenUp ? end : '–',
  }
}

export const formatNumber = (value: number): string => value.toLocaleString('en')

/** In whole seconds from one second on. */
export function formatSeconds(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${formatNumber(tenths < 10 ? tenths / 10 : Math.round(ms / 1_000))} s`
}
