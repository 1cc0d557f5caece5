'use client'

import { isPetstoreError } from '../../client/errors.ts'
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import type { ErrorNoticeLabels } from '../../labels/en.ts'
import { type ErrorLabels, errorNotice } from '../../labels/en/errorNotice.ts'
import { isAnotherDay } from '../../labels/formats.ts'
import { waitText } from '../../labels/waitText.ts'
import { alert, check, clock, cloudOff, key, lock, logIn, pause, question, server, type Tone } from '../Icon.tsx'
import { useKeyState } from '../keyState.ts'
import { useIsOffline } from '../useIsOffline.ts'
import { useLabels } from '../useLabels.ts'

/**
 * Returns a function that gives the words of `ErrorNotice` for an error, in the provider's language: the title, and the advice,
 * which says when to try again where the error has a time. For failures that you show yourself, such as in a toast.
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
  const { errorTextOf } = useErrorTexts()
  return (error) => {
    const { title, advice, wait } = errorTextOf(error)
    return { title, advice: wait() ?? advice }
  }
}

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
  /** Replaces the advice while there is a `retryAt`, of which so many seconds are left; `undefined` without one. */
  readonly wait: (seconds?: number) => string | undefined
}

/** Without a tone: a warning where the error says when to try again, else danger. */
const looks: Readonly<Partial<Record<Situation, readonly [icon: string, tone?: Tone]>>> = {
  authentication: [key],
  forbidden: [lock],
  signedOut: [logIn],
  notPermitted: [lock],
  server: [server],
  network: [cloudOff],
  timeout: [cloudOff],
  offline: [cloudOff, 'warning'],
  'rate-limit': [clock],
  limitToday: [clock],
  keyPaused: [pause],
  servicePaused: [pause],
  mayHaveHappened: [question, 'warning'],
  hasHappened: [check, 'warning'],
}

/** Where another try makes no sense: it cannot succeed, does harm, or is made by the client itself. */
const withoutRetry: readonly (Situation | undefined)[] = [
  'forbidden',
  'notPermitted',
  'input-validation',
  'hasHappened',
  'offline',
]

interface ErrorTexts {
  readonly labels: ErrorNoticeLabels
  /** Gives the look and the words of an error, from the state of its call, the key and the connection. */
  readonly errorTextOf: (error: Error) => ErrorText
}

/** @param overrides - of the provider's labels */
export function useErrorTexts(overrides?: Partial<ErrorNoticeLabels>): ErrorTexts {
  const { labels, format } = useLabels('errorNotice', errorNotice, overrides)
  const { hasApiKey } = usePetstoreContext().client
  const pausedUntil = useKeyState((state) => state.pausedUntil)
  const isOffline = useIsOffline()
  // Behind a handler, visitors know of no key.
  const [forbidden, paused] = hasApiKey
    ? (['forbidden', 'keyPaused'] as const)
    : (['notPermitted', 'servicePaused'] as const)

  function situationOf(error: Error): Situation | undefined {
    if (!isPetstoreError(error)) return undefined
    const { kind, replay, outcome } = error
    if (replay !== 'safe' && outcome !== 'not-applied') return outcome === 'unknown' ? 'mayHaveHappened' : 'hasHappened'
    if ('status' in error && error.status === 403) return retryAtOf(error) === undefined ? forbidden : paused
    // A handler tells by its code that the person has no session.
    if (kind === 'authentication' && (!hasApiKey || error.body?.code === 'signed-out')) return 'signedOut'
    if (kind === 'network' && isOffline) return 'offline'
    // A server reads no clock, and knows no connection.
    if (kind !== 'rate-limit' || isOffline === undefined) return kind
    // During a pause, the gate refuses calls by itself.
    if (Date.now() < pausedUntil) return paused
    return isAnotherDay(error.retryAt) ? 'limitToday' : kind
  }

  function errorTextOf(error: Error): ErrorText {
    const situation = situationOf(error)
    const retryAt = retryAtOf(error)
    const known: Readonly<Partial<Record<Situation, ErrorLabels>>> = { ...labels.errors, ...labels.situations }
    // Another version of this package on the page may have more kinds.
    const text = (situation && known[situation]) ?? labels.otherError
    const [icon, tone = retryAt === undefined ? 'danger' : 'warning'] = (situation && looks[situation]) ?? [alert]
    const mayQuoteService = situation === 'bad-request' || situation === 'unexpected-status'
    const serviceText = mayQuoteService && 'serviceMessage' in error ? error.serviceMessage : undefined
    // Nobody has entered the input of a read.
    const mustChangeInput = situation === 'bad-request' && isPetstoreError(error) && error.method !== 'GET'
    return {
      ...text,
      ...(typeof serviceText === 'string' && { advice: serviceText }),
      isServiceText: serviceText !== undefined,
      situation,
      icon,
      tone,
      retryAt,
      canRetry: !mustChangeInput && !withoutRetry.includes(situation),
      wait: (seconds) => {
        if (retryAt === undefined) return undefined
        const isPaused = situation === paused
        const label = isPaused ? labels.pausedFor : labels.retryIn
        const timeOf = isPaused ? 'until' : 'when'
        const sentence = seconds === 0 ? labels.retryNow : waitText(label, retryAt, format, seconds, 'long', timeOf)
        // A wait must not hide what keeps people from doing it twice.
        return situation === 'mayHaveHappened' ? `${text.advice} ${sentence}` : sentence
      },
    }
  }

  return { labels, errorTextOf }
}

/** When the service wants the next request, where the response to the failed one says so, in epoch ms. */
const retryAtOf = (error: Error) => (isPetstoreError(error) && 'retryAt' in error ? error.retryAt : undefined)
