import { type RefObject, useEffect, useRef } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { announce } from '../announce.ts'

interface Wait {
  /** Epoch ms. */
  readonly retryAt: number | undefined
  readonly isWaiting: boolean
  /** Spoken when the wait is over. */
  readonly waitOverText: string
}

interface ErrorAnnouncements {
  /** Call it when a person retries: if that fails, the error is announced again. */
  readonly noteRetry: () => void
}

/** Announces a new error and the end of its wait. Renders, ticks and other labels announce nothing. */
export function useErrorAnnouncements(
  near: RefObject<Element | null>,
  error: Error,
  text: string,
  { retryAt, isWaiting, waitOverText }: Wait,
): ErrorAnnouncements {
  const kind = isPetstoreError(error) ? `${error.kind} ${error.outcome}` : 'other'
  const announcedKind = useRef<string>(undefined)
  /** The error that a person retried: another error after it is news, even of the same kind. */
  const retriedError = useRef<Error>(undefined)
  useEffect(() => {
    const hasRetryFailed = retriedError.current !== undefined && retriedError.current !== error
    if (kind === announcedKind.current && !hasRetryFailed) return
    announcedKind.current = kind
    retriedError.current = undefined
    announce(text, near.current)
  }, [near, error, kind, text])

  const awaitedTime = useRef<number>(undefined)
  useEffect(() => {
    if (isWaiting) {
      awaitedTime.current = retryAt
      return
    }
    if (retryAt !== undefined && awaitedTime.current === retryAt) announce(waitOverText, near.current)
    awaitedTime.current = undefined
  }, [near, retryAt, isWaiting, waitOverText])

  return {
    noteRetry: () => {
      retriedError.current = error
    },
  }
}
