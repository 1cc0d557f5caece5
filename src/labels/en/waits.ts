import type { WaitReason } from '../../rate-limit/pendingRequest.ts'
import type { WaitSentence } from '../waitText.ts'

/** From two minutes on, a wait also has a time. */
export const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}, ${time}`)

export const waitReasons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': 'Waiting for the request limit.',
  connection: 'Can’t reach the service.',
  service: 'The service has a problem.',
  'other-tabs': 'Waiting for other tabs.',
}

export const retryingIn = (wait: string, time?: string) => `Trying again in ${withTime(wait, time)}`

/** When it happens. What fails is tried again, whether it is this request or another one. */
export const happensIn =
  (will: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}.`
    return `${will} in ${withTime(wait, time)}${isEarliest ? ' at the earliest' : ''}.`
  }
