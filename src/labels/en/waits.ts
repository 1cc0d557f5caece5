import type { WaitReason } from '../../rate-limit/pendingRequest.ts'
import type { WaitSentence } from '../waitText.ts'

/** Adds the time that ends a long wait: "3 minutes, at 4:15 PM". */
export const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}, ${time}`)

export const waitReasons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': 'Waiting for the request limit.',
  connection: 'Can’t reach the service.',
  service: 'The service has a problem.',
  'other-tabs': 'Waiting for other tabs.',
}

export const retryingIn = (wait: string, time?: string) => `Trying again in ${withTime(wait, time)}`

/** Makes "Will load in 12 seconds." of "Will load"; while requests fail, "Trying again in …", even for a first request. */
export const happensIn =
  (action: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}.`
    return `${action} in ${withTime(wait, time)}${isEarliest ? ' at the earliest' : ''}.`
  }
