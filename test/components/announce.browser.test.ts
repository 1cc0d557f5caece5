import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce, prepareRegion } from '../../src/components/announce.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  document.body.replaceChildren()
})

const regionsIn = (parent: Element) => [...parent.children].filter((element) => element.role === 'status')

test('the region is rendered, or it would not be spoken, but takes no room, whatever styles the app has', () => {
  const style = document.head.appendChild(document.createElement('style'))
  style.textContent =
    'body { margin: 0; block-size: 100vh } body > div { padding: 3rem; font-size: 4rem; margin: 2rem }'
  prepareRegion(null)
  announce('A long message. '.repeat(20), null)
  vi.advanceTimersByTime(100)
  const [region] = regionsIn(document.body)
  expect(region?.checkVisibility()).toBe(true)
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
  expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight])
  style.remove()
})
