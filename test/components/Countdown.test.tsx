import { act, cleanup, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown, PetstoreProvider } from '../../src/index.ts'
import { de } from '../../src/labels/de.ts'
import { newAddress } from '../renderOnService.tsx'

const now = new Date(2030, 0, 1, 12, 0, 30).getTime()

beforeEach(() => void vi.useFakeTimers({ now }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const app = (ui: ReactElement, labels?: typeof de) => (
  <PetstoreProvider baseUrl={newAddress()} labels={labels}>
    {ui}
  </PetstoreProvider>
)

test('counts down without a render of the component around it', () => {
  const rendered = vi.fn<() => void>()
  function Around() {
    rendered()
    return <Countdown until={now + 2_000} label={(wait) => `Loads in ${wait}.`} />
  }
  const { container } = render(app(<Around />))
  const shown = [container.textContent]
  const before = rendered.mock.calls.length
  for (const _ of [2, 1]) {
    act(() => void vi.advanceTimersByTime(1_000))
    shown.push(container.textContent)
  }
  expect(shown).toEqual(['Loads in 2 seconds.', 'Loads in 1 second.', 'Loads in 1 second.'])
  expect(rendered).toHaveBeenCalledTimes(before)
})

test('a label makes the text; long waits also have a time', () => {
  const label = (wait: string, time?: string) => `Loads in ${wait}${time === undefined ? '' : ` (${time})`}.`
  const { container, rerender } = render(app(<Countdown until={now + 42_000} label={label} />))
  expect(container.textContent).toBe('Loads in 42 seconds.')
  rerender(app(<Countdown until={now + 600_000} label={label} />))
  expect(container.textContent).toBe('Loads in 10 minutes (at 12:11\u202fPM).')
})

test('is the wait alone without a label, long or short, in the language of the provider', () => {
  const { container, rerender } = render(app(<Countdown until={now + 42_000} />))
  expect(container.textContent).toBe('42 seconds')
  rerender(app(<Countdown until={now + 42_000} length="short" />))
  expect(container.textContent).toBe('42 sec')
  rerender(app(<Countdown until={now + 42_000} />, de))
  expect(container.textContent).toBe('42 Sekunden')
})

test.each([undefined, Infinity, Number.NaN, 1e20])('is nothing without a time that a `Date` can hold: %s', (until) => {
  expect(render(app(<Countdown until={until} />)).container.innerHTML).toBe('')
})

test('is empty on a server', () => {
  expect(renderToString(app(<Countdown until={now + 42_000} />))).toBe('<span></span>')
})
