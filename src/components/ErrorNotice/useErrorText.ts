'use client'

import { isPetstoreError } from '../../client/errors.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import type { ErrorNoticeLabels } from '../../labels/en.ts'
import { type ErrorLabels, errorNotice } from '../../labels/en/errorNotice.ts'
import { isAnotherDay } from '../../labels/formats.ts'
import { waitText } from '../../labels/waitText.ts'
import { alert, checkCircle, clock, cloudOff, key, lock, logIn, pause, question, server, type Tone } from '../Icon.tsx'
import { useKeyState } from '../keyState.ts'
import { useIsOffline } from '../useIsOffline.ts'
import { useLabels } from '../useLabels.ts'

/**
 * Returns a function that gives the words of `ErrorNotice` for an error, in the provider's language: the title, and the advice,
 * which says when to try again where the error has a time, and is empty offline. For failures that you show yourself, such as
 * in a toast.
 *
 * @throws Error if used outside `PetstoreProvider`
 * @example
 * ```tsx
 * import { useCreateCategory, useErrorText } from 'petstore-react'
 *
 * function AddRabbit() {
 *   const { trigger, error } = useCreateCategory()
 *   const errorText = useErrorText()
 *   return (
 *     <>
 *       <button onClick={() => trigger({ name: 'Rabbit' })}>Add Rabbit</button>
 *       {error && <p role="alert">{errorText(error).title}</p>}
 *     </>
 *   )
 * }
 * ```
 */
export function useErrorText(): (error: Error) => { readonly title: string; readonly advice: string } {
  const { describeError } = useDescribeError()
  return (error) => {
    const { title, advice, wait } = describeError(error)
    return { title, advice: wait() ?? advice }
  }
}

type Situation = keyof ErrorNoticeLabels['errors'] | keyof ErrorNoticeLabels['situations']

/** The look and the words of an error, the same in every component. */
export interface ErrorText extends ErrorLabels {
  /** `undefined` for an error that is not a `PetstoreError`, and where the app gave no usable key. */
  readonly situation: Situation | undefined
  readonly tone: Tone
  readonly icon: string
  /** Whether the advice is the message of the service, in whatever language. */
  readonly isServiceText: boolean
  /** Whether another try makes sense. */
  readonly canRetry: boolean
  /** When the service wants the next request, in epoch ms. */
  readonly retryAt: number | undefined
  /** The sentence about the wait, in place of the advice; `undefined` without a `retryAt`. Without the seconds left, it reads the clock. */
  readonly wait: (seconds?: number) => string | undefined
}

/**
 * Without a `tone`, an error that says when to try again is a warning, and any other a danger. `isFinal`: another try cannot
 * succeed, or does harm. `offline` is final only until the browser is online, when the situation becomes `network`.
 */
const looks: Readonly<Partial<Record<Situation, readonly [icon: string, isFinal?: boolean, tone?: Tone]>>> = {
  authentication: [key],
  forbidden: [lock, true],
  signedOut: [logIn],
  notPermitted: [lock, true],
  'bad-request': [alert, true],
  'input-validation': [alert, true],
  server: [server],
  network: [cloudOff],
  timeout: [cloudOff],
  offline: [cloudOff, true, 'warning'],
  'rate-limit': [clock],
  limitToday: [clock],
  keyPaused: [pause],
  servicePaused: [pause],
  mayHaveHappened: [question, false, 'warning'],
  hasHappened: [checkCircle, true, 'warning'],
}

/**
 * Describes errors for the components.
 *
 * @param overrides - of the provider's labels
 */
export function useDescribeError(overrides?: Partial<ErrorNoticeLabels>) {
  const { labels, format } = useLabels('errorNotice', errorNotice, overrides)
  const { hasApiKey } = usePetstoreContext().client
  const pausedUntil = useKeyState((state) => state.pausedUntil)
  const isOffline = useIsOffline()
  // Behind a handler, the page has no key, and people know of none.
  const [forbidden, paused] = hasApiKey
    ? (['forbidden', 'keyPaused'] as const)
    : (['notPermitted', 'servicePaused'] as const)

  function situationOf(error: Error): Situation | undefined {
    if (!isPetstoreError(error)) return undefined
    const { kind, replay, outcome } = error
    if (replay !== 'safe' && outcome !== 'not-applied') return outcome === 'unknown' ? 'mayHaveHappened' : 'hasHappened'
    if ('status' in error && error.status === 403) return retryAtOf(error) === undefined ? forbidden : paused
    // The app gave no usable key, and nothing was sent.
    if (kind === 'authentication' && error.status === undefined) return undefined
    // The package's handler tells by this code that the person has no session.
    if (kind === 'authentication' && (!hasApiKey || error.body?.code === 'signed-out')) return 'signedOut'
    if (kind === 'network' && isOffline) return 'offline'
    // On a server and during hydration, `isOffline` is unknown, and the clock must not be read.
    if (kind !== 'rate-limit' || isOffline === undefined) return kind
    // While the service has paused the key, the gate refuses calls by itself, with a `rate-limit` error.
    if (Date.now() < pausedUntil) return paused
    return isAnotherDay(error.retryAt) ? 'limitToday' : kind
  }

  /** Gives the look and the words of an error, from the state of its call, the key and the connection. */
  function describeError(error: Error): ErrorText {
    const situation = situationOf(error)
    const known: Readonly<Partial<Record<Situation, ErrorLabels>>> = { ...labels.errors, ...labels.situations }
    // Another version of this package on the page may have more kinds.
    const text = (situation && known[situation]) ?? labels.otherError
    const [icon, isFinal, lookTone] = (situation && looks[situation]) ?? ([alert] as const)
    const retryAt = isFinal ? undefined : retryAtOf(error)
    const tone = lookTone ?? (retryAt === undefined ? 'danger' : 'warning')
    const mayQuoteService = situation === 'bad-request' || situation === 'unexpected-status'
    const serviceText = mayQuoteService ? serviceMessageOf(error) : undefined
    return {
      ...text,
      // The advice for offline is about a call that waits. A call that has failed is not sent later.
      advice: situation === 'offline' ? '' : (serviceText ?? text.advice),
      isServiceText: serviceText !== undefined,
      situation,
      icon,
      tone,
      retryAt,
      canRetry: !isFinal,
      wait: (seconds) => {
        if (retryAt === undefined) return undefined
        const isPaused = situation === paused
        const label = isPaused ? labels.pausedFor : labels.retryIn
        const timeOf = isPaused ? 'until' : 'when'
        const isOver = seconds === undefined ? retryAt <= Date.now() : seconds === 0
        const sentence = isOver ? labels.retryNow : waitText(label, retryAt, format, seconds, 'long', timeOf)
        // The wait must not replace the advice, which keeps people from sending twice.
        return situation === 'mayHaveHappened' ? `${text.advice} ${sentence}` : sentence
      },
    }
  }

  return { errorLabels: labels, describeError }
}

/** When to try again, in epoch ms, if the error knows. */
const retryAtOf = (error: Error) => (isPetstoreError(error) && 'retryAt' in error ? error.retryAt : undefined)

/** The message of the service, in whatever language. */
export const serviceMessageOf = (error: Error): string | undefined =>
  isPetstoreError(error) && 'serviceMessage' in error ? error.serviceMessage : undefined
