import { type RefObject, useEffect, useRef } from 'react'
import type { CategoryListLabels } from '../../labels/CategoryListLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { announce, prepareRegion } from '../announce.ts'

interface ListChanges {
  /** The text that the rows are filtered by. */
  readonly query: string
  /** The result of that query. */
  readonly resultText: string
  readonly isRefreshing: boolean
  /** The error of the latest request, which the notice announces. */
  readonly error: Error | undefined
  /** Until when the rate limit holds back a request that a person waits for, in epoch ms. */
  readonly retryAt: number | undefined
}

/** How long typing has to pause before the number of matches is spoken, in ms. */
const typingPause = 600

/** Announces changes that do not move the focus: each change once, and nothing while it lasts. */
export function useListAnnouncements(
  sectionRef: RefObject<HTMLElement | null>,
  { query, resultText, isRefreshing, error, retryAt }: ListChanges,
  labels: CategoryListLabels,
  format: Formats,
): void {
  const isWaiting = retryAt !== undefined
  const last = useRef({ query, isRefreshing, isWaiting })

  useEffect(() => {
    prepareRegion(sectionRef.current)
  }, [sectionRef])

  useEffect(() => {
    if (last.current.query === query) return undefined
    const timer = setTimeout(() => {
      last.current.query = query
      announce(resultText, sectionRef.current)
    }, typingPause)
    return () => clearTimeout(timer)
  }, [sectionRef, query, resultText])

  useEffect(() => {
    const { isRefreshing: wasRefreshing, isWaiting: wasWaiting } = last.current
    last.current.isRefreshing = isRefreshing
    last.current.isWaiting = isWaiting
    if (wasRefreshing && !isRefreshing && !error) announce(labels.refreshed, sectionRef.current)
    if (isWaiting && !wasWaiting) {
      announce(labels.waiting(format.duration(retryAt - Date.now())), sectionRef.current)
    }
  })
}
