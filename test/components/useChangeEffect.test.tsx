import { cleanup, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useChangeEffect } from '../../src/components/useChangeEffect.ts'

afterEach(cleanup)

test('runs once after each change of the key, and neither on mount nor on other renders', () => {
  const onChange = vi.fn<(text: string) => void>()
  function Part({ changeKey, text }: { changeKey: unknown; text: string }) {
    useChangeEffect(changeKey, () => onChange(text))
    return null
  }
  const page = (changeKey: unknown, text: string) => (
    <StrictMode>
      <Part changeKey={changeKey} text={text} />
    </StrictMode>
  )
  const { rerender } = render(page(1, 'first'))
  rerender(page(1, 'again'))
  expect(onChange).not.toHaveBeenCalled()
  rerender(page(2, 'second'))
  rerender(page(2, 'again'))
  expect(onChange.mock.calls).toEqual([['second']])
})
