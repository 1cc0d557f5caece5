import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { focusTemporarily, RestoreFocus } from '../../src/components/RestoreFocus.tsx'

afterEach(cleanup)

function Page({ children, isShown = true }: { children?: ReactNode; isShown?: boolean }) {
  const fallbackRef = useRef<HTMLElement>(null)
  return (
    <section ref={fallbackRef} aria-label="Fallback">
      {isShown && <RestoreFocus fallbackRef={fallbackRef}>{children}</RestoreFocus>}
      <button>Outside</button>
    </section>
  )
}

const fallback = () => screen.getByRole('region', { name: 'Fallback' })
const button = (name: string) => screen.getByRole('button', { name })

test.each([
  ['the focused element', <Page key="page" />],
  ['everything', <Page key="page" isShown={false} />],
])('moves the focus to the fallback when %s disappears', async (_, after) => {
  const { rerender } = render(
    <Page key="page">
      <button>Inside</button>
    </Page>,
  )
  button('Inside').focus()
  await act(async () => rerender(after))
  expect(document.activeElement).toBe(fallback())
})

test('leaves the focus alone if it is elsewhere', async () => {
  const { rerender } = render(
    <Page>
      <button>Inside</button>
    </Page>,
  )
  button('Outside').focus()
  await act(async () => rerender(<Page />))
  expect(document.activeElement).toBe(button('Outside'))
})

test('leaves the focus where something else has moved it', async () => {
  const { rerender } = render(
    <Page>
      <button>Inside</button>
    </Page>,
  )
  button('Inside').focus()
  await act(async () => {
    rerender(<Page />)
    button('Outside').focus()
  })
  expect(document.activeElement).toBe(button('Outside'))
})

test('an element that is not focusable is so only while it has the focus', () => {
  render(<Page />)
  focusTemporarily(fallback())
  expect(fallback().tabIndex).toBe(-1)
  button('Outside').focus()
  expect(fallback().hasAttribute('tabindex')).toBe(false)
  focusTemporarily(button('Outside'))
  expect(button('Outside').hasAttribute('tabindex')).toBe(false)
})
