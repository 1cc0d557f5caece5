import { act, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  CategoryForm,
  createPetstoreClient,
  MessageComposer,
  PetstoreProvider,
  RateLimitBadge,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache } from '../renderOnService.tsx'
import { nameField, submitButton } from './CategoryForm.setup.tsx'
import { messageThatSays, providerOptions, send } from './MessageComposer.setup.tsx'
import { advanceTime, cleanPage, describedBy, fakeTime, user } from './page.setup.ts'

cleanPage()

/** Renders below a client with a real gate, whose last calls have lost their connection. */
async function renderOffline(ui: ReactElement) {
  fakeTime()
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  let isDown = true
  const client = createPetstoreClient({
    ...providerOptions(service),
    fetch: (request) => (isDown ? Promise.reject(new TypeError('fetch failed')) : service.fetch(request)),
  })
  for (let call = 0; call < 3; call += 1) {
    const failed = client.createCategory({ name: 'Cat' }).catch(() => {})
    await advanceTime(1_500) // the third call waits until the first pause of the breaker is over
    await failed
  }
  render(
    <OwnCache>
      <PetstoreProvider client={client}>{ui}</PetstoreProvider>
    </OwnCache>,
  )
  return {
    service,
    comeBack: async () => {
      isDown = false
      await act(async () => void globalThis.dispatchEvent(new Event('online')))
      await advanceTime(100)
    },
  }
}

test('CategoryForm P2 waits for the connection, and creates when that is back', async () => {
  const { service, comeBack } = await renderOffline(<CategoryForm />)
  await user.type(nameField(), 'Rabbit')
  await user.click(submitButton())
  const submit = await screen.findByRole('button', { name: 'Waiting…' })
  await waitFor(() => expect(describedBy(submit)).toEqual(['Can’t reach the service.']))
  expect(service.requests).toEqual([])
  await comeBack()
  expect(await screen.findByText('Created “Rabbit”.', { selector: 'form *' })).toBeDefined()
})

test('CategoryForm P2 says offline that what waits is sent later', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())
  await renderOffline(<CategoryForm />)
  await user.type(nameField(), 'Rabbit')
  await user.click(submitButton())
  const submit = await screen.findByRole('button', { name: 'Waiting…' })
  await waitFor(() => expect(describedBy(submit)).toEqual(['You’re offline. Changes are sent when you’re back.']))
})

test('RateLimitBadge M6 says that the service cannot be reached, and no limit, until it can', async () => {
  const { comeBack } = await renderOffline(
    <>
      <RateLimitBadge />
      <MessageComposer />
    </>,
  )
  const badge = await screen.findByRole('group', { name: 'API requests' })
  expect(badge.dataset['status']).toBe('connection')
  expect(badge.textContent).toMatch(/Can’t reach the service.*Trying again in \d+ seconds?/)
  expect(badge.textContent).not.toMatch(/Paused|Used up|Resumes/)
  await comeBack()
  await send('Hello')
  await messageThatSays('Hello', 'Queued')
  expect(badge.dataset['status']).toBe('ok')
})
