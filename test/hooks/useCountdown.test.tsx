import { act, cleanup, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PetstoreProvider, useCountdown } from '../../src/index.ts'
import { de } from '../../src/labels/de.ts'
import { newAddress } from '../renderOnService.tsx'

beforeEach(() => void vi.useFakeTimers({ now: new Date(2030, 0, 1, 12, 0, 30) }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const rendered = vi.fn<() => void>()

function Wait({ seconds, label }: { seconds: number | undefined; label?: (wait: string, time?: string) => string }) {
  rendered()
  const countdown = useCountdown(
    seconds === undefined ? undefined : new Date(2030, 0, 1, 12, 0, 30).getTime() + seconds * 1_000,
    label,
  )
  return <p>{countdown}</p>
}

const app = (ui: ReactElement, labels?: typeof de) => (
  <PetstoreProvider baseUrl={newAddress()} labels={labels}>
    {ui}
  </PetstoreProvider>
)

test('counts down without a render of the component', () => {
  const { container } = render(app(<Wait seconds={42} />))
  expect(container.textContent).toBe('42 seconds')
  const before = rendered.mock.calls.length
  act(() => void vi.advanceTimersByTime(2_000))
  expect(container.textContent).toBe('40 seconds')
  expect(rendered).toHaveBeenCalledTimes(before)
})

test('a label makes the text; long waits also have a time', () => {
  const label = (wait: string, time?: string) => `Loads in ${wait}${time === undefined ? '' : ` (${time})`}.`
  const { container, rerender } = render(app(<Wait seconds={42} label={label} />))
  expect(container.textContent).toBe('Loads in 42 seconds.')
  rerender(app(<Wait seconds={600} label={label} />))
  expect(container.textContent).toBe('Loads in 10 minutes (at 12:11\u202fPM).')
})

test('speaks the language of the provider', () => {
  const { container } = render(app(<Wait seconds={42} />, de))
  expect(container.textContent).toBe('42 Sekunden')
})

test('is empty without a time and on a server', () => {
  expect(render(app(<Wait seconds={undefined} />)).container.textContent).toBe('')
  expect(renderToString(app(<Wait seconds={42} />))).toBe('<p></p>')
})
