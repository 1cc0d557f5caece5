import { act, render, waitFor } from '@testing-library/react'
import * as React from 'react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as petstore from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache } from '../renderOnService.tsx'
import { recordAnnouncements } from './announcements.ts'
import { newKey, providerOptions } from './MessageComposer.setup.tsx'
import { advanceTime, cleanPage, fakeTime, refusedFor, user } from './page.setup.ts'

cleanPage()

const { CategoryForm, CategoryList, CategoryManager, ErrorNotice, MessageComposer, PetstoreProvider, RateLimitBadge } =
  petstore
const context = { operation: 'listCategories', attempts: 1, method: 'GET', replay: 'safe' } as const

/** Each component, and a text that it shows before it is hidden. */
const components = {
  CategoryForm: [() => <CategoryForm />, 'Enter a name.'],
  CategoryList: [() => <CategoryList />, 'Dog'],
  CategoryManager: [() => <CategoryManager />, 'Enter a name.'],
  ErrorNotice: [(key: string) => <ErrorNotice key={key} error={waiting} />, 'You can try again in'],
  MessageComposer: [(key: string) => <MessageComposer draftKey={key} />, 'Enter a message.'],
  RateLimitBadge: [() => <RateLimitBadge />, 'Paused'],
} as const
const waiting = new petstore.RateLimitError(context, Date.now() + 45 * 60_000)

// React 18 has no Activity.
describe.skipIf(!('Activity' in React))('hidden and shown again', () => {
  test('CategoryManager highlights and scrolls to a created category once', async () => {
    const scroll = vi.fn<() => void>()
    Element.prototype.scrollIntoView = scroll
    onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView')) // jsdom has none
    const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
    const client = petstore.createPetstoreClient(providerOptions(service))
    const app = (mode: 'visible' | 'hidden') => (
      <OwnCache>
        <PetstoreProvider client={client}>
          <React.Activity mode={mode}>
            <CategoryManager />
          </React.Activity>
        </PetstoreProvider>
      </OwnCache>
    )
    const { findByText, getByLabelText, rerender } = render(app('visible'))
    await findByText('Dog')
    await user.type(getByLabelText('Name'), 'Cat{Enter}')
    await waitFor(() => expect(scroll).toHaveBeenCalled())
    scroll.mockClear()
    rerender(app('hidden'))
    rerender(app('visible'))
    await findByText('Cat')
    expect(scroll).not.toHaveBeenCalled()
  })

  test.each(Object.entries(components))(
    '%s keeps its texts, sends nothing, says nothing and takes no focus',
    async (_, [make, says]) => {
      fakeTime()
      const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
      const client = petstore.createPetstoreClient(providerOptions(service))
      const ui = make(newKey())
      const app = (mode: 'visible' | 'hidden') => (
        <OwnCache>
          <PetstoreProvider client={client}>
            <React.Activity mode={mode}>{ui}</React.Activity>
            <button type="button">Elsewhere</button>
          </PetstoreProvider>
        </OwnCache>
      )
      const { container, getByText, rerender } = render(app('visible'))
      const texts = () => (container.textContent ?? '').replaceAll(/\d+ seconds?/g, 'n seconds')
      const values = () =>
        [...container.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value)
      await advanceTime(500)
      for (const field of container.querySelectorAll('textarea')) await user.type(field, 'Hello')
      for (const field of container.querySelectorAll('textarea')) await user.clear(field)
      for (const form of container.querySelectorAll('form')) act(() => form.requestSubmit())
      for (const field of container.querySelectorAll('input[type=search]')) await user.type(field, 'd')
      service.failNext(refusedFor(100))
      void client.createCategory({ name: 'Cat' }).catch(() => {})
      await advanceTime(3_000)
      expect(texts()).toContain(says)

      const before = { texts: texts(), values: values(), sent: service.requests.length }
      const announcements = recordAnnouncements()
      const elsewhere = getByText('Elsewhere')
      elsewhere.focus()
      rerender(app('hidden'))
      dispatchEvent(new Event('focus'))
      await advanceTime(3_000)
      expect(service.requests).toHaveLength(before.sent)
      rerender(app('visible'))
      await advanceTime(3_000)
      expect({ texts: texts(), values: values(), sent: service.requests.length }).toEqual(before)
      expect(announcements.filter(Boolean)).toEqual([])
      expect(document.activeElement).toBe(elsewhere)
    },
  )
})
