import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Countdown } from '../../src/hooks/useCountdown.tsx'
import { formatsFor } from '../../src/labels/formats.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('counts down in words, without re-rendering its parent', () => {
  vi.useFakeTimers({ now: 0 })
  const rendered = vi.fn<() => void>()
  function Around() {
    rendered()
    return (
      <p>
        <Countdown until={2_000} format={formatsFor('de')}>
          {(wait) => `Weiter in ${wait}`}
        </Countdown>
      </p>
    )
  }
  const { container } = render(<Around />)
  const shown = [container.textContent]
  for (const _ of [2, 1]) {
    act(() => void vi.advanceTimersByTime(1_000))
    shown.push(container.textContent)
  }
  expect(shown).toEqual(['Weiter in 2 Sekunden', 'Weiter in 1 Sekunde', 'Weiter in 0 Sekunden'])
  expect(rendered).toHaveBeenCalledOnce()
})
