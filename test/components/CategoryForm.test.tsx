import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createRef, type SubmitEvent } from 'react'
import { createPortal } from 'react-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CategoryForm, type CategoryFormProps, type Category } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import {
  createdLine,
  created,
  descriptionField,
  form,
  nameField,
  pendingButton,
  renderForm,
  submitButton,
  type,
  typed,
} from './CategoryForm.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, describedBy, fakeTime, refusedFor, user, heldService } from './page.setup.ts'

cleanPage()

test('F1 S1 T3 P4 by keyboard alone: typed, submitted with Enter, created, empty again', async () => {
  const onCreated = vi.fn<(category: Category) => void>()
  const { service } = renderOnService(<CategoryForm onCreated={onCreated} />)
  await user.tab()
  expect(document.activeElement).toBe(nameField())
  await user.keyboard('Rabbit')
  await user.tab()
  await user.keyboard('Soft ears')
  await user.tab()
  expect(document.activeElement).toBe(submitButton())
  await user.keyboard('{Enter}')
  expect(await createdLine('Rabbit')).toBeDefined()
  expect(typed()).toEqual(['', ''])
  expect(document.activeElement).toBe(nameField())
  expect(service.categories().at(-1)).toMatchObject({ name: 'Rabbit', description: 'Soft ears' })
  expect(onCreated.mock.calls.map(([category]) => category.name)).toEqual(['Rabbit'])
})

test('F2 native props, the ref and class names', async () => {
  const ref = createRef<HTMLFormElement>()
  const classNames: Required<NonNullable<CategoryFormProps['classNames']>> = {
    field: 'a-field',
    label: 'a-label',
    hint: 'a-hint',
    fieldError: 'a-field-error',
    input: 'an-input',
    notice: 'a-notice',
    actions: 'the-actions',
    submit: 'a-submit',
    cancel: 'a-cancel',
    status: 'a-status',
    show: 'a-show', // the button needs a list beside the form
  }
  const service = createPetstoreService()
  renderOnService(
    <CategoryForm ref={ref} id="new" className="mine" aria-label="Another" data-testid="it" classNames={classNames} />,
    { service },
  )
  expect(ref.current).toBe(screen.getByRole('form', { name: 'Another' }))
  expect(form().id).toBe('new')
  expect(screen.getByTestId('it')).toBe(form())
  expect([...form().classList]).toEqual(['petstore-root', 'petstore-category-form', 'mine'])

  const count = (className: string) => form().getElementsByClassName(className).length
  expect(['a-field', 'a-label', 'a-hint', 'an-input'].map(count)).toEqual([2, 2, 1, 2])
  expect(['the-actions', 'a-submit'].map(count)).toEqual([1, 1])
  await user.click(submitButton())
  expect(count('a-field-error')).toBe(1)

  service.failNext({ status: 400 })
  service.failNext(refusedFor(3))
  await type('Rabbit')
  await user.click(submitButton())
  await waitFor(() => expect(count('a-notice')).toBe(1))
  await user.click(submitButton())
  await waitFor(() => expect(['a-cancel', 'a-status'].map(count)).toEqual([1, 1]))
})

test('F5 actions stand beside the submit button', () => {
  renderOnService(<CategoryForm actions={<button type="button">Close</button>} />)
  expect(screen.getByRole('button', { name: 'Close' }).parentElement).toBe(submitButton().parentElement)
})

test.each([
  ['Rabbit', '', { name: 'Rabbit' }],
  ['  Rabbit ', ' ', { name: '  Rabbit ', description: ' ' }],
])('S1 %o and %o are sent as typed', async (name, description, sent) => {
  const bodies: unknown[] = []
  const service = createPetstoreService()
  const fetch: PetstoreService['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    bodies.push(await request.clone().json())
    return service.fetch(request)
  }
  renderOnService(<CategoryForm />, { service: { ...service, fetch } })
  await type(name, description)
  await user.click(submitButton())
  await within(form()).findByText(/^Created/)
  expect(bodies).toEqual([sent])
})

test.each(['', '   '])('S2 E2 a name of %o is not sent; the name says so and takes the focus', async (name) => {
  const { service } = renderOnService(<CategoryForm />)
  await type(name, 'Soft ears')
  await user.click(submitButton())
  expect(document.activeElement).toBe(nameField())
  expect(nameField().getAttribute('aria-invalid')).toBe('true')
  expect(describedBy(nameField())).toEqual(['For example, Rabbit', 'Enter a name.'])
  expect(descriptionField().getAttribute('aria-invalid')).toBe('false')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('Enter a name.').closest('[aria-live]')).toBeNull()
  expect(typed()).toEqual([name, 'Soft ears'])
  expect(service.requests).toEqual([])

  descriptionField().focus()
  await user.click(submitButton())
  expect(document.activeElement).toBe(nameField())
  await type('Rabbit')
  await user.keyboard('{Enter}')
  await within(form()).findByText(/^Created “\s*Rabbit”\.$/)
  expect(nameField().getAttribute('aria-invalid')).toBe('false')
  expect(describedBy(nameField())).toEqual(['For example, Rabbit'])
})

test('S3 submitted twice at once, by click and by Enter, while sending: one is created', async () => {
  const { service, release } = heldService()
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  form().requestSubmit()
  form().requestSubmit()
  await screen.findByRole('button', { name: 'Creating…' })
  await user.dblClick(await pendingButton())
  await user.type(nameField(), '{Enter}')
  await release()
  await createdLine('Rabbit')
  expect(service.requests).toHaveLength(1)
  expect(created(service)).toBe(1)
})

test('S3 submitted again while waiting: one is created, after the wait', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.keyboard('{Enter}')
  await screen.findByRole('button', { name: 'Cancel' })
  await user.click(await pendingButton())
  await user.type(nameField(), '{Enter}')
  expect(service.requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5_000)
  await createdLine('Rabbit')
  expect(service.requests.map(({ status }) => status)).toEqual([429, 201])
})

test('S3 clears the fields before they could be submitted again', async () => {
  const { service } = renderOnService(<CategoryForm />)
  await type('Rabbit')
  const seen = new MutationObserver(async () => {
    if (!within(form()).queryByText('Created “Rabbit”.')) return
    seen.disconnect()
    // Lets microtasks run, and none of the tasks that React does later.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
    form().requestSubmit()
  })
  seen.observe(document.body, { childList: true, subtree: true })
  await user.click(submitButton())
  await screen.findByText('Enter a name.')
  expect(service.requests).toHaveLength(1)
})

test('S3 the second click of a double click does nothing, whatever the first has led to', async () => {
  const service = createPetstoreService({ categories: [] })
  service.failNext({ connection: 'lost-after' })
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  fireEvent.click(submitButton(), { detail: 1 })
  const button = await screen.findByRole('button', { name: 'Create anyway' })
  fireEvent.click(button, { detail: 2 })
  expect(screen.getByRole('button', { name: 'Create anyway' })).toBe(button)
  fireEvent.click(button, { detail: 1 })
  await createdLine('Rabbit')
  fireEvent.click(submitButton(), { detail: 2 })
  expect(screen.queryByText('Enter a name.')).toBeNull()
  expect(service.requests).toHaveLength(2)
})

test('S4 the onSubmit of the app may prevent sending, and is not called for ignored submissions', async () => {
  let isAllowed = false
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => {
    if (!isAllowed) event.preventDefault()
  })
  const { service, release } = heldService()
  renderOnService(<CategoryForm onSubmit={onSubmit} />, { service })
  await type('Rabbit')
  await user.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(submitButton()).toBeDefined()
  isAllowed = true
  await user.keyboard('{Enter}')
  await user.click(await pendingButton())
  expect(onSubmit).toHaveBeenCalledTimes(2)
  await release()
  await createdLine('Rabbit')
  expect(service.requests).toHaveLength(1)
})

test('S4 T3 the form ignores the submit and the reset of another form, in a portal inside it', async () => {
  const prevent = (event: Event) => event.preventDefault()
  window.addEventListener('submit', prevent) // runs after React's listeners: jsdom cannot load a page
  onTestFinished(() => window.removeEventListener('submit', prevent))
  const other = (
    <form aria-label="Other">
      <button type="submit">Other</button>
      <button type="reset">Reset other</button>
    </form>
  )
  const onSubmit = vi.fn<() => void>()
  const { service } = renderOnService(<CategoryForm onSubmit={onSubmit} actions={createPortal(other, document.body)} />)
  await user.click(submitButton())
  expect(nameField().getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Reset other' }))
  expect(nameField().getAttribute('aria-invalid')).toBe('true')
  await type('Rabbit')
  onSubmit.mockClear()
  await user.click(screen.getByRole('button', { name: 'Other' }))
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(submitButton()).toBeDefined()
  expect(service.requests).toEqual([])
})

test('S5 E5 does not resend by itself after a lost response; a person may, after a warning', async () => {
  fakeTime()
  const service = createPetstoreService({ categories: [] })
  service.failNext({ connection: 'lost-after' })
  renderForm({}, { ...optionsFor(service), retry: { attempts: 5 } })
  await type('Rabbit')
  await user.keyboard('{Enter}')
  const shown = await screen.findByRole('group', { name: 'It may have gone through' })
  expect(shown.textContent).toContain('Check before you try again.')
  expect(within(shown).queryByRole('button')).toBeNull()
  await vi.advanceTimersByTimeAsync(120_000)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(service.requests).toHaveLength(1)
  expect(typed()).toEqual(['Rabbit', ''])

  await user.click(screen.getByRole('button', { name: 'Create anyway' }))
  await createdLine('Rabbit')
  expect(created(service)).toBe(2)
})

test('S5 after a lost response, Enter in unchanged text sends nothing and says why', async () => {
  const service = createPetstoreService({ categories: [] })
  service.failNext({ connection: 'lost-after' })
  fakeTime()
  const announcements = recordAnnouncements()
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit', 'Soft ears')
  await user.keyboard('{Enter}')
  await screen.findByRole('button', { name: 'Create anyway' })
  await advanceTime(2_000)
  const before = announcements.length
  await user.click(nameField())
  await user.keyboard('{Enter}')
  await user.click(descriptionField())
  await user.keyboard('{Enter}{Enter}')
  await waitFor(() => expect(announcements.slice(before).join(' ')).toContain('It may have gone through. Check'))
  expect(service.requests).toHaveLength(1)

  // A text that was edited is another category. The same text once more may have been created before.
  await user.keyboard('!')
  expect(submitButton()).toBeDefined()
  await user.keyboard('{Backspace}')
  expect(screen.getByRole('button', { name: 'Create anyway' })).toBeDefined()
  await user.keyboard('!{Enter}')
  await createdLine('Rabbit')
  expect(service.categories().map(({ description }) => description)).toEqual(['Soft ears', 'Soft ears!'])
})

test('S5 after a lost response, an empty submission in between does not make the same text a new category', async () => {
  const service = createPetstoreService({ categories: [] })
  service.failNext({ connection: 'lost-after' })
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.keyboard('{Enter}')
  await screen.findByRole('button', { name: 'Create anyway' })
  await user.clear(nameField())
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Enter a name.')).toBeDefined()
  await type('Rabbit')
  expect(screen.getByRole('button', { name: 'Create anyway' })).toBeDefined()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('group', { name: 'It may have gone through' })).toBeDefined()
  expect(service.requests).toHaveLength(1)
})

test.each(['wrong-shape', 'malformed-json'] as const)(
  'S5 T3 P4 where the response could not be read (%s), the category was created, and Enter creates no second one',
  async (body) => {
    const service = createPetstoreService({ categories: [] })
    service.failNext({ body })
    const announcements = recordAnnouncements()
    renderOnService(<CategoryForm />, { service })
    await type('Rabbit', 'Soft ears')
    await user.keyboard('{Enter}')
    const text = 'Created “Rabbit”, but the response couldn’t be read. The list shows it after a refresh.'
    expect(await within(form()).findByText(text)).toBeDefined()
    expect(typed()).toEqual(['', ''])
    expect(document.activeElement).toBe(nameField())
    expect(screen.queryByRole('group')).toBeNull()
    await waitFor(() => expect(announcements.join(' ')).toContain(text))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Enter a name.')).toBeDefined()
    expect(within(form()).queryByText(text)).toBeNull()
    expect(created(service)).toBe(1)
  },
)
