import { act, fireEvent, render, waitFor, within } from '@testing-library/react'
import { type ReactNode, useCallback, useState } from 'react'
import { createPortal } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CategoryForm, CategoryList, CategoryManager, MessageComposer, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache } from '../renderOnService.tsx'
import { newKey, providerOptions } from './MessageComposer.setup.tsx'
import { cleanPage, dropLayoutEffectWarnings } from './page.setup.ts'

cleanPage()

/** Simulates another window: a document with its own active element and its own `HTMLElement`. */
function frame() {
  const { contentDocument } = document.body.appendChild(document.createElement('iframe'))
  if (!contentDocument) throw new Error('The frame has no document.')
  return { root: contentDocument, place: contentDocument.body }
}

function shadow() {
  const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
  return { root, place: root.appendChild(document.createElement('div')) }
}

const places = [
  ['a frame', frame],
  ['a shadow root', shadow],
] as const

const app = (ui: ReactNode, service = createPetstoreService()) => (
  <OwnCache>
    <PetstoreProvider {...providerOptions(service)}>{ui}</PetstoreProvider>
  </OwnCache>
)

const spoken = (root: Document | ShadowRoot) => root.querySelector('[role=status]')?.textContent

test.each(places)('E2 P3 of CategoryForm: in %s Enter in the empty name says what is missing', async (_, make) => {
  const { root, place } = make()
  render(app(createPortal(<CategoryForm />, place)))
  const name = within(place).getByLabelText('Name')
  name.focus()
  fireEvent.submit(place.querySelector('form') ?? place)
  await waitFor(() => expect(spoken(root)).toBe('Enter a name.'))
  expect(root.activeElement).toBe(name)
})

test.each(places)('in %s a name that is missing takes the focus from the button', async (_, make) => {
  const { root, place } = make()
  render(app(createPortal(<CategoryForm />, place)))
  within(place).getByText('Create category').focus()
  fireEvent.submit(place.querySelector('form') ?? place)
  await waitFor(() => expect(root.activeElement).toBe(within(place).getByLabelText('Name')))
})

test('in a shadow root the form takes no focus from another part of the page', async () => {
  const { root, place } = shadow()
  const elsewhere = document.body.appendChild(document.createElement('input'))
  render(app(createPortal(<CategoryForm />, place)))
  elsewhere.focus()
  fireEvent.submit(place.querySelector('form') ?? place)
  expect(await within(place).findByText('Enter a name.')).toBeDefined()
  expect([document.activeElement, root.activeElement]).toEqual([elsewhere, null])
})

test.each([
  ['CategoryForm', <CategoryForm key="form" />],
  ['MessageComposer', <MessageComposer key="form" />],
])('%s in a portal inside a form of the app neither submits nor resets that form', (_, ui) => {
  const submitted = vi.fn<() => void>()
  const reset = vi.fn<() => void>()
  const place = document.body.appendChild(document.createElement('div'))
  render(
    app(
      <form onSubmit={submitted} onReset={reset}>
        {createPortal(ui, place)}
      </form>,
    ),
  )
  const ours = place.querySelector('form')
  if (!ours) throw new Error('no form')
  fireEvent.submit(ours)
  fireEvent.reset(ours)
  expect(submitted).not.toHaveBeenCalled()
  expect(reset).not.toHaveBeenCalled()
})

test('a callback ref of the list that sets state is called once, and once when it goes', async () => {
  const calls: boolean[] = []
  function Measured() {
    const [, setSize] = useState({})
    const measure = useCallback((element: HTMLElement | null) => {
      calls.push(element !== null)
      if (element) setSize({})
    }, [])
    return <CategoryList ref={measure} />
  }
  const { unmount } = render(
    <PetstoreProvider {...providerOptions(createPetstoreService())}>
      <Measured />
    </PetstoreProvider>,
  )
  await waitFor(() => expect(document.querySelectorAll('li').length).toBeGreaterThan(0))
  expect(calls).toEqual([true])
  unmount()
  expect(calls).toEqual([true, false])
})

// `useId` counts through all roots of a page. On a server each render starts again, so their ids would be the same.
test('two hydrated roots on one page have no id in common, each with an identifierPrefix', async () => {
  const roots = ['shop-', 'admin-'].map((identifierPrefix) => {
    const container = document.body.appendChild(document.createElement('div'))
    const ui = app([<CategoryManager key="manager" />, <MessageComposer key="composer" draftKey={newKey()} />])
    container.innerHTML = renderToString(ui, { identifierPrefix })
    return { container, ui, identifierPrefix }
  })
  dropLayoutEffectWarnings()
  for (const { container, ui, identifierPrefix } of roots) {
    act(() => {
      const root = hydrateRoot(container, ui, { identifierPrefix })
      onTestFinished(() => act(() => root.unmount()))
    })
  }
  await waitFor(() => expect(document.body.textContent).not.toContain('Loading'))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(8)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { container } of roots) {
    const references = [...container.querySelectorAll('*')].flatMap((element) =>
      ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-errormessage'].flatMap(
        (name) => element.getAttribute(name)?.split(' ').filter(Boolean) ?? [],
      ),
    )
    expect(references.length).toBeGreaterThan(4)
    expect(references.filter((id) => !container.contains(document.getElementById(id)))).toEqual([])
  }
})
