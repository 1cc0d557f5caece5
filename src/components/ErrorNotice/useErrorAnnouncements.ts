import { type RefObject, useEffect, useRef } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { announce } from '../announce.ts'

interface Wait {
  /** Until when a retry is held back. */
  readonly heldUntil: number | undefined
  readonly isHeld: boolean
  /** What is said when that is over. */
  readonly isOver: string
}

/** Speaks of an error when there is news, and never because of a render, a tick, or a change of words. */
export function useErrorAnnouncements(
  near: RefObject<Element | null>,
  error: Error,
  message: string,
  { heldUntil, isHeld, isOver }: Wait,
): { readonly noteRetry: () => void } {
  const kind = isPetstoreError(error) ? `${error.kind} ${error.outcome}` : 'other'
  const spokenKind = useRef<string>(undefined)
  /** The error that a person wants to be rid of: if another comes instead, that is news even if it is of the same kind. */
  const retried = useRef<Error>(undefined)
  useEffect(() => {
    const hasFailedAgain = retried.current !== undefined && retried.current !== error
    if (kind === spokenKind.current && !hasFailedAgain) return
    spokenKind.current = kind
    retried.current = undefined
    announce(message, near.current)
  }, [near, error, kind, message])

  const awaited = useRef<number>(undefined)
  useEffect(() => {
    if (isHeld) {
      awaited.current = heldUntil
      return
    }
    if (heldUntil !== undefined && awaited.current === heldUntil) announce(isOver, near.current)
    awaited.current = undefined
  }, [near, heldUntil, isHeld, isOver])

  return {
    noteRetry: () => {
      retried.current = error
    },
  }
}
