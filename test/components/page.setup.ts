import { act, cleanup, waitFor } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { dropAnnouncements } from './announcements.ts'

const consoleSpies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]

/** Registers hooks: each test starts with an empty page and storage, and fails if the console shows an error or a warning. */
export function cleanPage(): void {
  beforeEach(() => {
    for (const spy of consoleSpies) spy.mockClear()
  })
  afterEach(() => {
    cleanup()
    if (vi.isFakeTimers()) vi.runOnlyPendingTimers() // so that the announcer does not wait for a timer that never fires
    dropAnnouncements()
    document.body.replaceChildren()
    vi.useRealTimers()
    sessionStorage.clear()
    expect(consoleSpies.flatMap((spy) => spy.mock.calls)).toEqual([])
  })
}

/** Does not check `pointer-events` before each click: without a style sheet, no element has them off. */
export const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })

/** Drops React 18's warning of layout effects on a server, which SWR uses there because it takes jsdom for a browser. */
export function dropLayoutEffectWarnings(): void {
  const { calls } = vi.mocked(console.error).mock
  const others = calls.filter(([message]) => !String(message).includes('useLayoutEffect does nothing on the server'))
  calls.splice(0, calls.length, ...others)
}

/** The texts that describe an element. */
export const describedBy = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)

/** Time that advances by itself, and that `advanceTime` can advance further. */
export const fakeTime = () => vi.useFakeTimers({ shouldAdvanceTime: true })

/** Advances time, and lets React render the result. */
export const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** A 429 that asks to wait. */
export const refusedFor = (seconds: number) => ({ status: 429, headers: { 'Retry-After': String(seconds) } })

/**
 * A service that holds each request before it handles it (`holdResponses` holds the response instead).
 * `release` lets the oldest held request go; if there is none, it waits for one.
 */
export function heldService() {
  const service = createPetstoreService({ categories: [] })
  const held: (() => void)[] = []
  const fetch: PetstoreService['fetch'] = async (input, init) => {
    await new Promise<void>((resolve) => held.push(resolve))
    return service.fetch(input, init)
  }
  const release = async () => {
    await waitFor(() => expect(held).not.toEqual([]))
    held.shift()?.()
  }
  return { service: { ...service, fetch }, release }
}
