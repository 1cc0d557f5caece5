import { isPetstoreError } from '../../client/errors.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import type { ErrorNoticeLabels } from '../../labels/en.ts'
import type { ErrorLabels } from '../../labels/en/errorNotice.ts'
import { type Formats, isAnotherDay } from '../../labels/formats.ts'
import { waitText } from '../../labels/waitText.ts'
import { alert, check, clock, cloudOff, key, lock, logIn, pause, question, server, type Tone } from '../Icon.tsx'
import { useKeyState } from '../keyState.ts'
import { useIsOffline } from '../useIsOffline.ts'

type Situation = keyof ErrorNoticeLabels['errors'] | keyof ErrorNoticeLabels['situations']

/** The look and the words of an error, the same in every component. */
export interface ErrorText extends ErrorLabels {
  /** The situation; `undefined` for an error that is not a `PetstoreError`. */
  readonly situation: Situation | undefined
  readonly tone: Tone
  readonly icon: string
  /** Whether the advice is the message of the service, in whatever language. */
  readonly isServiceText: boolean
  /** Whether another try makes sense. */
  readonly canRetry: boolean
  /** When the service wants the next request, in epoch ms. */
  readonly retryAt: number | undefined
  /** The sentence about the wait. */
  readonly wait: (seconds?: number) => string | undefined
}

const looks: Readonly<Partial<Record<Situation, readonly [icon: string, tone?: Tone]>>> = {
  authentication: [key],
  forbidden: [lock],
  signedOut: [logIn],
  notPermitted: [lock],
  server: [server],
  network: [cloudOff],
  timeout: [cloudOff],
  offline: [cloudOff, 'warning'],
  'rate-limit': [clock, 'warning'],
  limitToday: [clock, 'warning'],
  keyPaused: [pause, 'warning'],
  servicePaused: [pause, 'warning'],
  mayHaveHappened: [question, 'warning'],
  hasHappened: [check, 'warning'],
}

/** Returns a function that tells the situation of an error: that of the call, of the key and of the connection. */
export function useDescribeError(labels: ErrorNoticeLabels, format: Formats): (error: Error) => ErrorText {
  const { client } = usePetstoreContext()
  const isForbidden = useKeyState((state) => state.isForbidden)
  const isOffline = useIsOffline()
  // Behind a handler, visitors know of no key.
  const { hasApiKey } = client
  const paused = hasApiKey ? 'keyPaused' : 'servicePaused'

  function situationOf(error: Error): Situation | undefined {
    if (!isPetstoreError(error)) return undefined
    const { kind, replay, outcome } = error
    if (replay !== 'safe' && outcome !== 'not-applied') return outcome === 'unknown' ? 'mayHaveHappened' : 'hasHappened'
    if ('status' in error && error.status === 403) {
      return retryAtOf(error) === undefined ? (hasApiKey ? 'forbidden' : 'notPermitted') : paused
    }
    // A handler tells by its code that the person has no session.
    if (kind === 'authentication' && (!hasApiKey || error.body?.code === 'signed-out')) return 'signedOut'
    if (kind === 'network' && isOffline) return 'offline'
    if (kind !== 'rate-limit') return kind
    // The gate refuses what comes after a ban, too.
    if (isForbidden && client.rateLimit.getSnapshot().status !== 'exhausted') return paused
    // A server reads no clock.
    return isOffline !== undefined && isAnotherDay(error.retryAt) ? 'limitToday' : kind
  }

  return (error) => {
    const situation = situationOf(error)
    const retryAt = retryAtOf(error)
    const texts: Readonly<Partial<Record<Situation, ErrorLabels>>> = { ...labels.errors, ...labels.situations }
    // Another version of this package on the page may have more kinds.
    const text = (situation && texts[situation]) ?? labels.otherError
    const [icon, tone = retryAt === undefined ? 'danger' : 'warning'] = (situation && looks[situation]) ?? [alert]
    const isAboutInput = situation === 'bad-request' || situation === 'input-validation'
    const isInServiceWords = situation === 'bad-request' || situation === 'unexpected-status'
    const serviceText = isInServiceWords && 'serviceMessage' in error ? error.serviceMessage : undefined
    const isPause = situation === 'keyPaused' || situation === 'servicePaused'
    const isFinal = situation === 'forbidden' || situation === 'notPermitted' || situation === 'offline'
    return {
      ...text,
      ...(typeof serviceText === 'string' && { advice: serviceText }),
      isServiceText: serviceText !== undefined,
      situation,
      icon,
      tone,
      retryAt,
      canRetry: !isFinal && (!isAboutInput || isRead(error)),
      wait: (seconds) =>
        retryAt === undefined
          ? undefined
          : waitText(
              isPause ? labels.pausedFor : labels.retryIn,
              retryAt,
              format,
              seconds,
              'long',
              isPause ? 'until' : 'when',
            ),
    }
  }
}

const isRead = (error: Error) => isPetstoreError(error) && error.method === 'GET'

/** When the service wants the next request, where the response to the failed one says so, in epoch ms. */
const retryAtOf = (error: Error) => (isPetstoreError(error) && 'retryAt' in error ? error.retryAt : undefined)
