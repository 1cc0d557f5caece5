import { useEffect, useRef } from 'react'
import { announce, prepareRegion } from '../announce.ts'
import { useChangeEffect } from '../useChangeEffect.ts'
import { waitText } from '../../labels/waitText.ts'
import type { ListView } from './ListView.ts'

/** How long typing has to pause before the number of matches is spoken, in ms. */
const typingPause = 600

/**
 * Announces changes that do not move the focus: each change once, and nothing while it lasts.
 *
 * @param resultText - the result of the query
 */
export function useListAnnouncements(
  { categories, query, isRefreshing, retryAt, labels, format, sectionRef }: ListView,
  resultText: string,
): void {
  const isWaiting = retryAt !== undefined
  const announcedQuery = useRef(query)

  useEffect(() => {
    prepareRegion(sectionRef.current)
  }, [sectionRef])

  useEffect(() => {
    if (announcedQuery.current === query) return undefined
    const timer = setTimeout(() => {
      announcedQuery.current = query
      announce(resultText, sectionRef.current)
    }, typingPause)
    return () => clearTimeout(timer)
  }, [sectionRef, query, resultText])

  useChangeEffect(isRefreshing, () => {
    // The notice announces an error.
    if (!isRefreshing && !categories.error) announce(labels.refreshed, sectionRef.current)
  })
  useChangeEffect(isWaiting, () => {
    if (isWaiting) announce(waitText(labels.waiting, retryAt, format), sectionRef.current, true)
  })
}
