/*
 * The vocabulary of these tests:
 * - `X.setup.tsx` renders component X on a service of its own and finds its parts; `page.setup.ts` is for all components.
 * - An announcement is a text that a live region speaks. This file records announcements.
 */
import { onTestFinished } from 'vitest'

/**
 * Takes the live regions out of the page, into a document that nobody sees: `announce` speaks there what it still has to
 * say, and not in the next test.
 */
export function dropAnnouncements(): void {
  const elsewhere = document.implementation.createHTMLDocument()
  for (const announcer of document.querySelectorAll('.petstore-announcer')) elsewhere.adoptNode(announcer)
}

/** Records all announcements from now on, in a list that grows. */
export function recordAnnouncements(): readonly string[] {
  const announcements: string[] = []
  const observer = new MutationObserver((changes) => announcements.push(...spokenIn(changes)))
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return announcements
}

/** Watches the announcements from now on. The returned function gives those since its last call, without waiting. */
export function watchAnnouncements(): () => readonly string[] {
  const observer = new MutationObserver(() => {})
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return () => spokenIn(observer.takeRecords())
}

function spokenIn(changes: readonly MutationRecord[]): readonly string[] {
  return changes
    .filter(({ target }) => target instanceof Element && target.getAttribute('role') === 'status')
    .flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => (textContent ?? '').trim()))
}
