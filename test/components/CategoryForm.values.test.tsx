import { screen, waitFor } from '@testing-library/react'
import type { FormEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { CategoryForm, type Category, createPetstoreClient } from '../../src/index.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import { noResponse, optionsFor, renderOnService } from '../renderOnService.tsx'
import {
  createdLine,
  descriptionField,
  nameField,
  pendingButton,
  renderForm,
  submitButton,
  type,
  typed,
} from './CategoryForm.setup.tsx'
import { cleanPage, refusedFor, user, heldService } from './page.setup.ts'

cleanPage()

const failures: [fault: Fault | 'timeout', title: string][] = [
  [{ status: 400 }, 'Something you entered can’t be used'],
  [{ status: 401 }, 'API key rejected'],
  [refusedFor(60), 'Request limit reached'],
  [{ status: 418 }, 'Unexpected response'],
  [{ status: 503 }, 'It may have gone through'],
  [{ connection: 'lost-before' }, 'It may have gone through'],
  [{ connection: 'lost-after' }, 'It may have gone through'],
  ['timeout', 'It may have gone through'],
]

test.each(failures)('T1 E5 %o keeps the text, also after re-renders: "%s"', async (fault, title) => {
  const service = createPetstoreService()
  if (fault !== 'timeout') service.failNext(fault)
  const fetch = fault === 'timeout' ? noResponse : service.fetch
  const options = { ...optionsFor({ fetch }), timeout: 40 }
  const { update } = renderForm({}, options)
  await type('Rabbit', 'Soft ears')
  await user.click(submitButton())
  const shown = await screen.findByRole('group', { name: title })
  const button = screen.getByRole('button', { name: /^Create/ })
  const order = shown.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING
  expect(order).toBeTruthy()
  const next = { className: 'mine', onCreated: () => {}, defaultValues: {} }
  update(next, { ...options, fetch: (request) => fetch(request) })
  expect(typed()).toEqual(['Rabbit', 'Soft ears'])
  expect(nameField().readOnly).toBe(false)
  expect(screen.getByRole('group', { name: title })).toBe(shown)
})

test('T1 a new address, key or client keeps the text, and removes the state of the old one', async () => {
  const service = createPetstoreService({ keys: ['second'] })
  const options = optionsFor(service)
  const first = createPetstoreClient({ ...options, apiKey: 'first' })
  const second = createPetstoreClient({ ...options, apiKey: 'second' })
  const { update } = renderForm({}, { ...options, apiKey: 'none' })
  await type('Rabbit', 'Soft ears')
  const submitWithRejectedKey = async () => {
    await user.click(submitButton())
    await screen.findByRole('group', { name: 'API key rejected' })
  }
  const expectOnlyText = () => {
    expect(screen.queryByRole('group')).toBeNull()
    expect(typed()).toEqual(['Rabbit', 'Soft ears'])
  }
  await submitWithRejectedKey()
  for (const next of [
    { ...options, apiKey: 'another' },
    { ...optionsFor(service), apiKey: 'none' },
    { client: first },
  ]) {
    update({}, next)
    expectOnlyText()
    await submitWithRejectedKey()
  }
  update({}, { client: second })
  expectOnlyText()
  await user.click(submitButton())
  await createdLine('Rabbit')
})

test('T1 S3 a submission of the old client neither blocks nor clears one of the new client', async () => {
  const [old, recent] = [heldService(), heldService()]
  const onCreated = vi.fn<(category: Category) => void>()
  const { update } = renderForm({ onCreated }, { client: createPetstoreClient(optionsFor(old.service)) })
  await type('Rabbit')
  await user.click(submitButton())
  update({ onCreated }, { client: createPetstoreClient(optionsFor(recent.service)) })
  await user.click(submitButton())
  expect(await pendingButton()).toBeDefined()
  await old.release()
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce())
  expect(typed()).toEqual(['Rabbit', ''])
  await user.click(await pendingButton())
  await recent.release()
  await createdLine('Rabbit')
  expect(typed()).toEqual(['', ''])
  expect(recent.service.requests).toHaveLength(1)
})

test('T3 starts with the default values, and returns to them after a success', async () => {
  const onReset = vi.fn<() => void>()
  renderOnService(<CategoryForm defaultValues={{ name: 'Cat', description: 'Purrs' }} onReset={onReset} />)
  expect(typed()).toEqual(['Cat', 'Purrs'])
  await user.clear(descriptionField())
  await type('fish')
  expect(typed()).toEqual(['Catfish', ''])
  await user.click(submitButton())
  await createdLine('Catfish')
  expect(typed()).toEqual(['Cat', 'Purrs'])
  expect(onReset).toHaveBeenCalledOnce()
})

test('T3 a reset by the app removes the errors, and is refused while sending', async () => {
  const { service, release } = heldService()
  service.failNext({ status: 500 })
  const resets: boolean[] = []
  const onReset = ({ defaultPrevented }: FormEvent) => resets.push(!defaultPrevented)
  renderOnService(<CategoryForm onReset={onReset} actions={<button type="reset">Clear</button>} />, { service })
  const clear = () => user.click(screen.getByRole('button', { name: 'Clear' }))
  await user.click(submitButton())
  expect(nameField().getAttribute('aria-invalid')).toBe('true')
  await clear()
  expect(nameField().getAttribute('aria-invalid')).toBe('false')

  await type('Rabbit')
  await user.click(submitButton())
  await clear()
  expect(typed()).toEqual(['Rabbit', ''])
  await release()
  await screen.findByRole('group', { name: 'It may have gone through' })
  await clear()
  expect(screen.queryByRole('group')).toBeNull()
  expect(typed()).toEqual(['', ''])
  expect(resets).toEqual([true, false, true])
})

test('T4 read-only while sending', async () => {
  const { service, release } = heldService()
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  await user.type(nameField(), ' and more')
  await user.type(descriptionField(), 'and more')
  expect(typed()).toEqual(['Rabbit', ''])
  expect([nameField().readOnly, descriptionField().readOnly]).toEqual([true, true])
  await release()
  await createdLine('Rabbit')
  await type('Cat')
  expect(typed()).toEqual(['Cat', ''])
})
