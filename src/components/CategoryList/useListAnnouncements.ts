import { useEffect, useRef } from 'react'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import type { WaitReason } from '../../rate-limit/pendingRequest.ts'
import { announce, prepareRegion } from '../announce.ts'
import { useChangeEffect } from '../useChangeEffect.ts'
import type { ListView } from './ListView.ts'

/** How long typing has to pause before the number of matches is spoken, in ms. */
const typingPause = 600

/** A load of this length is announced when it ends: people who do not see the list have stopped waiting. In ms. */
const longLoad = 3_000

/** Announces changes that do not move the focus: each change once, without countdowns. */
export function useListAnnouncements(
  { categories, query, isLoading, isRefreshing, wait, labels, format, sectionRef }: ListView,
  resultText: string,
  loadedText: string,
): void {
  const announcedQuery = useRef(query)

  useEffect(() => void prepareRegion(sectionRef.current), [sectionRef])

  useEffect(() => {
    if (announcedQuery.current === query) return undefined
    const timer = setTimeout(() => {
      announcedQuery.current = query
      announce(resultText, sectionRef.current)
    }, typingPause)
    return () => clearTimeout(timer)
  }, [sectionRef, query, resultText])

  const isLongLoad = useRef(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => (isLongLoad.current = true), longLoad)
    return () => clearTimeout(timer)
  }, [isLoading])
  useChangeEffect(isLoading, () => {
    if (!isLoading && isLongLoad.current && categories.data) announce(loadedText, sectionRef.current)
    isLongLoad.current = false
  })

  useChangeEffect(isRefreshing, () => {
    // The notice announces an error; a clear or another key leaves no data.
    if (!isRefreshing && !categories.error && categories.data) announce(labels.refreshed, sectionRef.current)
  })

  const { isValidating } = categories
  const announcedReason = useRef<WaitReason>(undefined)
  useEffect(() => {
    if (!isValidating) announcedReason.current = undefined
  }, [isValidating])
  useChangeEffect(wait?.reason, () => {
    // A request may wait for the same reason before each of its attempts.
    if (!wait || wait.reason === announcedReason.current) return
    announcedReason.current = wait.reason
    announce(waitText(labelOfWait(labels.waiting, wait), wait.until, format), sectionRef.current, true)
  })
}
