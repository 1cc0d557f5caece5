import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { useEffect, useRef } from 'react'
import { renderToString } from 'react-dom/server.browser'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '../../src/styles.css'
import { CategoryForm, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import { createdLine, form, refusedAs } from './CategoryForm.setup.tsx'
import { cutElements } from './cutElements.ts'
import { refusedFor } from './page.setup.ts'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  document.documentElement.removeAttribute('dir')
})

const tree = () => page.getByRole('form')
const nameField = () => screen.getByLabelText<HTMLInputElement>('Name')
const submit = (name = 'Rabbit') => userEvent.type(nameField(), `${name}{Enter}`)

test('F1 the accessibility tree: at first', async () => {
  renderOnService(<CategoryForm />)
  await expect.element(tree()).toMatchAriaInlineSnapshot(`
    - form "New category":
      - text: "Name For example, Rabbit"
      - textbox "Name"
      - text: Description (optional)
      - textbox "Description (optional)"
      - button "Create category"
  `)
})

test('F1 E4 the accessibility tree: refused by the service', async () => {
  const service = createPetstoreService()
  service.failNext(refusedAs('conflict', 'There is one already.'))
  renderOnService(<CategoryForm />, { service })
  await submit()
  await screen.findByRole('group', { name: 'Something you entered can’t be used' })
  await expect.element(tree()).toMatchAriaInlineSnapshot(`
    - form "New category":
      - text: "Name For example, Rabbit"
      - textbox "Name": Rabbit
      - text: Description (optional)
      - textbox "Description (optional)"
      - group "Something you entered can’t be used":
        - strong: Something you entered can’t be used
        - paragraph: There is one already.
        - group: Details
      - button "Create category"
  `)
})

test('P1 the submit button is as wide while it sends as before and after, and its name is its text alone', async () => {
  const service = createPetstoreService({ latency: 1_000 })
  renderOnService(<CategoryForm />, { service })
  const create = await screen.findByRole('button', { name: 'Create category' })
  const { width } = create.getBoundingClientRect()
  await submit()
  const busy = await screen.findByRole('button', { name: 'Creating…' })
  expect(busy).toBe(create)
  expect(Math.abs(busy.getBoundingClientRect().width - width)).toBeLessThanOrEqual(1)
  await createdLine('Rabbit')
  expect(screen.getByRole('button', { name: 'Create category' }).getBoundingClientRect().width).toBe(width)
  expect(create.getAttribute('style')).toBeFalsy()
})

test('F1 P2 the accessibility tree: waiting', async () => {
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderOnService(<CategoryForm />, { service })
  await submit()
  await within(form()).findByText(/Will be created in/)
  await expect.element(tree()).toMatchAriaInlineSnapshot(`
    - form "New category":
      - text: "Name For example, Rabbit"
      - textbox "Name": Rabbit
      - text: Description (optional)
      - textbox "Description (optional)"
      - button "Waiting…" [disabled]
      - paragraph:
        - text: /Waiting for the request limit\\. Will be created in \\d seconds\\./
        - button "Cancel"
  `)
})

test('S3 holding Enter on a fast service creates one category without a warning', async () => {
  const { service } = renderOnService(<CategoryForm />)
  await userEvent.type(nameField(), 'Rabbit')
  await userEvent.keyboard('{Enter>20/}')
  await createdLine('Rabbit')
  expect(service.requests).toHaveLength(1)
  expect(nameField().getAttribute('aria-invalid')).toBe('false')
})

test.each([
  ['lost', { connection: 'lost-after' }],
  ['unreadable', { body: 'malformed-json' }],
] as const)('S3 S5 double clicks and Enter create one category, also if its response is %s', async (_, fault) => {
  const service = createPetstoreService({ categories: [] })
  service.failNext(fault)
  renderOnService(<CategoryForm />, { service })
  await userEvent.type(nameField(), 'Rabbit')
  const button = screen.getByRole('button', { name: 'Create category' })
  await userEvent.dblClick(button)
  await within(form()).findByText(/may have gone through|couldn’t be read/)
  await userEvent.click(nameField())
  await userEvent.keyboard('{Enter}{Enter}')
  await userEvent.dblClick(nameField())
  await userEvent.keyboard('{Enter}')
  expect(service.categories()).toHaveLength(1)
})

test('T2 before hydration, submitting loads no page and loses no text', async () => {
  const html = renderToString(
    <PetstoreProvider {...optionsFor(createPetstoreService())}>
      <CategoryForm />
    </PetstoreProvider>,
  )
  document.body.innerHTML = `<main>${html}</main>`
  const address = location.href
  await submit()
  await userEvent.click(screen.getByRole('button', { name: 'Create category' }))
  expect(nameField().value).toBe('Rabbit')
  expect(location.href).toBe(address)
})

function ModalForm() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-label="New">
      <CategoryForm onCreated={() => dialog.current?.close()} />
    </dialog>
  )
}

test('P3 in a modal dialog, announcements are in the dialog; once it is closed, in the page', async () => {
  const service = createPetstoreService({ latency: 1_000 }) // long enough to be announced
  service.failNext({ connection: 'lost-before' })
  renderOnService(<ModalForm />, { service })
  const dialog = screen.getByRole('dialog')
  await submit()
  await waitFor(() => expect(dialog.querySelector('[role="status"]')?.textContent).toContain('Creating…'))
  await userEvent.click(await screen.findByRole('button', { name: 'Create anyway' }))
  await waitFor(() => expect(dialog.matches('[open]')).toBe(false))
  const spoken = () => document.querySelector('body > [role="status"]')?.textContent
  await waitFor(() => expect(spoken()).toContain('Created “Rabbit”.'))
})

const longName = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2)

test.each([
  ['ltr', '1rem'],
  ['rtl', '1rem'],
  ['ltr', '2rem'],
])('L1 in 240 px, %s, text of %s: nothing runs out of its box', async (direction, fontSize) => {
  const service = createPetstoreService()
  service.failNext(refusedAs('conflict', longName))
  service.failNext({ status: 500 })
  service.failNext(refusedFor(3))
  renderOnService(
    <div style={{ inlineSize: 240, fontSize }} dir={direction}>
      <CategoryForm actions={<button type="button">Close</button>} />
    </div>,
    { service },
  )
  const expectNothingCut = () => {
    expect(form().getBoundingClientRect().width).toBeLessThanOrEqual(240)
    expect(cutElements(form())).toEqual([])
  }
  const press = () => userEvent.click(screen.getByRole('button', { name: /^Create/ }))
  expectNothingCut()
  nameField().value = longName
  await press()
  await screen.findByRole('group', { name: 'Something you entered can’t be used' })
  expectNothingCut()
  await press()
  await screen.findByRole('group', { name: 'It may have gone through' })
  expectNothingCut()
  await press()
  await within(form()).findByText(/Will be created in/)
  expectNothingCut()
})
