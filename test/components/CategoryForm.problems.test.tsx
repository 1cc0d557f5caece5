import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CategoryForm, createPetstoreClient, InputValidationError, type PetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import {
  createdLine,
  descriptionField,
  nameField,
  refusedAs,
  renderForm,
  submitButton,
  type,
  typed,
} from './CategoryForm.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, describedBy, fakeTime, refusedFor, user, heldService } from './page.setup.ts'

cleanPage()

const unusable = 'Something you entered can’t be used'

/** A client that rejects each category as invalid at these paths, as an app's own client might. */
function refusingClient(...paths: PropertyKey[][]): PetstoreClient {
  const issues = paths.map((path) => ({ message: 'expected something else', path }))
  return {
    ...createPetstoreClient(optionsFor(createPetstoreService())),
    createCategory: () =>
      Promise.reject(new InputValidationError({ operation: 'createCategory', attempts: 0 }, issues)),
  }
}

test('E1 leaving a field checks nothing', async () => {
  renderOnService(<CategoryForm />)
  await user.click(nameField())
  await user.tab()
  await user.tab()
  expect(nameField().getAttribute('aria-invalid')).toBe('false')
})

test.each([
  ['invalid_name', 'That is taken.', 'Name'],
  ['NAME_TAKEN', 'That is taken.', 'Name'],
  ['nameTooLong', 'That is too long.', 'Name'],
  ['bad_request', 'name: expected a string', 'Name'],
  ['bad_request', 'The field "Name" must be shorter.', 'Name'],
  ['bad_request', 'Description is too long', 'Description (optional)'],
  ['invalid.description', 'No.', 'Description (optional)'],
])('E2 E4 a 400 of %s, "%s", is shown at the field %s, which takes the focus', async (code, message, field) => {
  const service = createPetstoreService()
  service.failNext(refusedAs(code, message))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit', 'Soft ears')
  await user.click(submitButton())
  const input = screen.getByRole('textbox', { name: field })
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(describedBy(input).at(-1)).toMatch(/^This .* can’t be used\. Message from the service: /)
  expect(screen.getByText(message).getAttribute('dir')).toBe('auto')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('group')).toBeNull()
  expect(typed()).toEqual(['Rabbit', 'Soft ears'])
})

test('E2 no element comes or goes beside a field with its error, so that it is not read twice', async () => {
  renderOnService(<CategoryForm />)
  const beside = () => [...(nameField().parentElement?.children ?? [])]
  const before = beside()
  await user.click(submitButton())
  expect(describedBy(nameField()).at(-1)).toBe('Enter a name.')
  expect(beside()).toEqual(before)
})

test.each([
  ['bad_request', 'The body is not JSON.'],
  ['duplicate', 'Renamed, filename and naming are other words.'],
  ['bad_request', 'The name must differ from the description.'],
])('E3 E4 a 400 of %s, "%s", is shown in the notice', async (code, message) => {
  const service = createPetstoreService()
  service.failNext(refusedAs(code, message))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  const notice = await screen.findByRole('group', { name: unusable })
  expect(document.activeElement).toBe(submitButton())
  expect(within(notice).getByText(message).getAttribute('dir')).toBe('auto')
  expect(within(notice).queryByRole('button')).toBeNull()
  expect(nameField().getAttribute('aria-invalid')).toBe('false')
})

test('E3 several problems: a notice, and the focus on the first field', async () => {
  renderForm({}, { client: refusingClient(['description'], ['name'], ['name', 0]) })
  await type('Rabbit', 'Soft ears')
  await user.click(submitButton())
  const notice = await screen.findByRole('group', { name: 'Check these fields' })
  expect(notice.textContent).toContain('Something is missing or invalid.')
  await waitFor(() => expect(document.activeElement).toBe(nameField()))
  expect(describedBy(nameField()).at(-1)).toBe('This name can’t be used.')
  expect(describedBy(descriptionField())).toEqual(['This description can’t be used.'])
  expect([nameField(), descriptionField()].map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true'])
})

test('E3 an issue at no field of the form is shown in the notice; the error of a missing name replaces it', async () => {
  renderForm({}, { client: refusingClient(['color'], []) })
  await type('Rabbit')
  await user.click(submitButton())
  await screen.findByRole('group', { name: 'Check these fields' })
  expect(nameField().getAttribute('aria-invalid')).toBe('false')
  await user.clear(nameField())
  await user.click(submitButton())
  expect(screen.queryByRole('group')).toBeNull()
  expect(document.activeElement).toBe(nameField())
})

test('E5 the notice has no retry beside the submit button, which submits the current text', async () => {
  const { service, release } = heldService()
  service.failNext({ status: 401 })
  const onSubmit = vi.fn<() => void>()
  renderOnService(<CategoryForm onSubmit={onSubmit} />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  await release()
  const notice = await screen.findByRole('group', { name: 'API key rejected' })
  expect(notice.textContent).not.toContain('Check before you try again')
  expect(document.activeElement).toBe(submitButton())
  await type(' and Cat')
  expect(within(notice).queryByRole('button')).toBeNull()
  await user.click(submitButton())
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Creating…' }))
  expect(screen.queryByRole('group')).toBeNull()
  await release()
  await createdLine('Rabbit and Cat')
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

test('P7 during a long rate limit the submit button counts down and says why; nothing is sent before its end', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const onSubmit = vi.fn<() => void>()
  const service = createPetstoreService()
  service.failNext(refusedFor(90))
  renderOnService(<CategoryForm onSubmit={onSubmit} />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  const notice = await screen.findByRole('group', { name: 'Request limit reached' })
  expect(within(notice).queryByRole('button')).toBeNull()
  expect(submitButton().getAttribute('aria-disabled')).toBe('true')
  expect(submitButton().textContent).toMatch(/^Create in \d+ minCreate category$/)
  expect(describedBy(submitButton())).toEqual(['Request limit reached'])
  await advanceTime(45_000)
  const shown = submitButton().textContent
  expect(shown).toMatch(/^Create in 4\d sec/)
  await advanceTime(1_000)
  expect(submitButton().textContent).not.toBe(shown)
  await user.click(submitButton())
  await advanceTime(200)
  expect(announcements.at(-1)).toMatch(/^You can try again in 4\d seconds\.$/)
  await user.type(nameField(), '{Enter}')
  expect(service.requests).toHaveLength(1)
  expect(onSubmit).toHaveBeenCalledTimes(1)
  expect(typed()).toEqual(['Rabbit', ''])

  await advanceTime(60_000)
  expect(submitButton().getAttribute('aria-disabled')).toBe('false')
  expect(submitButton().textContent).toBe('Create category')
  await user.click(submitButton())
  await createdLine('Rabbit')
})
