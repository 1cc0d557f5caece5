import { maxDuration, type RequestFate, type SimulationResult } from './simulate.ts'

/** How a simulation ended, in words. */
export interface Summary {
  /** How many calls succeeded, of those that no reload canceled: "60 of 180". */
  readonly score: string
  /** The rest of the sentence: "banned after 1 s". */
  readonly outcome: string
  readonly risk: 'none' | 'ban risk' | 'banned'
  /** Whether each call succeeded, without a risk. */
  readonly isSuccess: boolean
  readonly details: string
}

export function summarize(result: SimulationResult): Summary {
  const { requests, calls, succeededCalls, canceledCalls } = result
  const refusals = requests.filter(({ fate }) => fate !== 'succeeded').length
  const bannedAt = requests.find(({ fate }) => fate === 'banned')?.at
  // One refusal is how a client learns of the limit. More of them show that it did not stop.
  const risk = bannedAt !== undefined ? 'banned' : refusals > 1 ? 'ban risk' : 'none'
  const sent = `${formatNumber(requests.length)} ${requests.length === 1 ? 'request' : 'requests'} sent`
  return {
    score: `${formatNumber(succeededCalls)} of ${formatNumber(calls - canceledCalls)}`,
    outcome: outcomeOf(result, bannedAt),
    risk,
    isSuccess: risk === 'none' && succeededCalls === calls - canceledCalls,
    details: `${sent}, ${refusals === 0 ? 'none' : formatNumber(refusals)} refused. ${endingOf(result)}.`,
  }
}

function outcomeOf(result: SimulationResult, bannedAt: number | undefined): string {
  if (bannedAt !== undefined) return `banned after ${formatSeconds(bannedAt)}`
  if (result.finishedAt === undefined) return `still waiting after ${maxDuration / 60_000} minutes`
  return hasFailedAtOnce(result) ? 'succeeded, the rest failed at once' : 'succeeded'
}

/** A client that gives up early has not finished early. */
function endingOf(result: SimulationResult): string {
  const { failedCalls, finishedAt } = result
  if (finishedAt === undefined) return 'Not finished'
  if (failedCalls === 0) return `Finished after ${formatSeconds(finishedAt)}`
  return hasFailedAtOnce(result) ? 'No call waited' : `Gave up after ${formatSeconds(finishedAt)}`
}

const hasFailedAtOnce = ({ failedCalls, longestCall }: SimulationResult) => failedCalls > 0 && longestCall < 1_000

/** Every figure of a result by its label. */
export function figuresOf(result: SimulationResult): Readonly<Record<string, string>> {
  const { requests, calls, succeededCalls, failedCalls, canceledCalls, finishedAt, longestCall } = result
  const count = (fate: RequestFate) => formatNumber(requests.filter((request) => request.fate === fate).length)
  const end = finishedAt === undefined ? 'not finished' : formatSeconds(finishedAt)
  const hasGivenUp = failedCalls > 0
  return {
    'Calls made': formatNumber(calls),
    'Calls succeeded': formatNumber(succeededCalls),
    'Calls failed': formatNumber(failedCalls),
    'Calls canceled by reloads': formatNumber(canceledCalls),
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
const formatSeconds = (ms: number) => {
  const tenths = Math.round(ms / 100)
  return `${formatNumber(tenths < 10 ? tenths / 10 : Math.round(ms / 1_000))} s`
}
