import { type ClientKind, maxDuration, type SimulationResult } from './simulate.ts'

/** How a simulation ended, in words. */
export interface Summary {
  readonly risk: 'none' | 'ban risk' | 'banned'
  /** Whether each call succeeded, without a risk. */
  readonly isSuccess: boolean
  /** In ms since the simulation began; `undefined` if the key was not banned. */
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
  // One refusal is how a client learns of the limit. More show that it kept sending.
  const risk = bannedAt !== undefined ? 'banned' : refusals > 1 ? 'ban risk' : 'none'
  const verdicts = {
    banned: `Key banned after ${formatSeconds(bannedAt ?? 0)}`,
    'ban risk': 'Ban risk',
    none: 'No ban risk',
  }
  const sent = `${formatNumber(requests.length)} ${requests.length === 1 ? 'request' : 'requests'}`
  return {
    risk,
    isSuccess: risk === 'none' && successes === calls,
    bannedAt,
    verdict: verdicts[risk],
    details: `${sent}, ${refusals === 0 ? 'none' : formatNumber(refusals)} refused. ${endingOf(result)}.`,
  }
}

const refusalsOf = ({ requests }: SimulationResult) => requests.filter(({ fate }) => fate !== 'succeeded').length

function endingOf({ failures, finishedAt }: SimulationResult): string {
  if (finishedAt === undefined) return `Still waiting after ${maxDuration / 60_000} minutes`
  return failures === 0 ? `Done after ${formatSeconds(finishedAt)}` : `${formatNumber(failures)} calls failed`
}

/** The whole lab in one sentence or two. */
export function headlineOf(results: Readonly<Record<ClientKind, SimulationResult>>): string {
  const { 'petstore-react': ours, ...others } = results
  const { calls, successes } = ours
  const gotThrough = successes === calls ? `all ${formatNumber(calls)}` : `${successes} of ${calls}`
  const sentence = `petstore-react gets ${gotThrough} calls through.`
  const summaries = Object.values(others).map(summarize)
  const bans = summaries.flatMap(({ bannedAt }) => bannedAt ?? [])
  const firstBan = formatSeconds(Math.min(...bans))
  // Every headline fits into three lines on a phone, for which the page keeps room before there are results.
  if (successes === 0) return `Nothing gets through today. Plain retries get the API key banned after ${firstBan}.`
  if (bans.length === summaries.length) return `${sentence} Without it, the API key is banned after ${firstBan}.`
  if (bans.length > 0) return `${sentence} Plain retries get the API key banned after ${firstBan}.`
  const refusals = Math.max(...Object.values(others).map(refusalsOf))
  return refusals === 0
    ? `${sentence} So does everyone else: the request limit is not reached.`
    : `${sentence} Without it, ${formatNumber(refusals)} requests are refused.`
}

export const formatNumber = (value: number): string => value.toLocaleString('en')

/** In whole seconds from one second on. Number and unit stay on one line. */
export function formatSeconds(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${formatNumber(tenths < 10 ? tenths / 10 : Math.round(ms / 1_000))}\u00a0s`
}
