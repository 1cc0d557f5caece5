import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MessageComposer, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import { noResponse, OwnCache } from '../renderOnService.tsx'
import {
  button,
  field,
  messages,
  messageThatSays,
  newKey,
  posts,
  providerOptions,
  renderComposer,
  send,
  write,
} from './MessageComposer.setup.tsx'
import { cleanPage, describedBy, refusedFor, user, heldService } from './page.setup.ts'

cleanPage()

/** What the session storage holds for a draft key: all that survives a reload. */
const stored = (key: string) => sessionStorage.getItem(nameOf(key))
const nameOf = (key: string) => `petstore::${key}`

/** Simulates a reload: copies the stored draft to a new key, because this page still has the texts of the old one. */
function afterReload(key: string): string {
  const next = newKey()
  sessionStorage.setItem(nameOf(next), stored(key) ?? '')
  return next
}

function refuseStorage(method: 'getItem' | 'setItem' | 'removeItem'): void {
  const spy = vi.spyOn(Storage.prototype, method).mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError')
  })
  onTestFinished(() => spy.mockRestore())
}

test('T2 the text in the field returns with the composer and after a reload', async () => {
  const draftKey = newKey()
  const { update } = renderComposer({ draftKey })
  await write('not yet')
  update(null)
  update({ draftKey })
  expect(field().value).toBe('not yet')
  cleanup()
  renderComposer({ draftKey: afterReload(draftKey) })
  expect(field().value).toBe('not yet')
})

test('T2 without a key nothing is stored', async () => {
  const { update } = renderComposer()
  await write('not yet')
  update(null)
  update({})
  expect(field().value).toBe('')
  expect(sessionStorage).toHaveLength(0)
})

test('T2 after a reload the texts that were not accepted are in the field, and nothing is sent by itself', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  renderComposer({ draftKey }, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  service.failNext({ status: 404 }, 2)
  await send('first')
  await messageThatSays('first', /Not sent/)
  await send('second\nline')
  await messageThatSays('second', /Not sent/)
  await write('draft')
  cleanup()

  const { service: next } = renderComposer({ draftKey: afterReload(draftKey) })
  expect(field().value).toBe('first\n\nsecond\nline\n\ndraft')
  expect(messages()).toEqual([])
  expect(screen.queryByText('It may have gone through')).toBeNull()
  expect(next.requests).toEqual([])
})

const underWay: readonly (readonly [name: string, fault: Fault | undefined, status: string | RegExp])[] = [
  ['waits', refusedFor(9), /Will send in/],
  ['may have been sent', { connection: 'lost-after' }, 'It may have gone through'],
  ['is on its way', undefined, 'Sending…'],
]

test.each(underWay)(
  'T2 a reload, or a copy of the tab, while a message %s: the text may have been sent',
  async (...row) => {
    const [, fault, status] = row
    const draftKey = newKey()
    const service = createPetstoreService()
    if (fault) service.failNext(fault)
    renderComposer({ draftKey }, { service, ...(!fault && { fetch: noResponse }) })
    await send('Hello')
    await messageThatSays('Hello', status)
    const copy = afterReload(draftKey)
    cleanup()

    const { service: next } = renderComposer({ draftKey: copy })
    expect(field().value).toBe('Hello')
    expect(screen.getByText('It may have gone through')).toBeDefined()
    expect(screen.getByText('Check before you try again.')).toBeDefined()
    expect(describedBy(button('Send again anyway'))).toEqual(['It may have gone through'])
    expect(next.requests).toEqual([])
    await user.type(field(), '!')
    expect(screen.getByText('It may have gone through')).toBeDefined()
    await user.click(button('Send again anyway'))
    await messageThatSays('Hello!', 'Queued')
    expect(screen.queryByText('It may have gone through')).toBeNull()
    expect(posts(next)).toBe(1)
  },
)

test('T2 the field warns that its text may have been sent, as long as the text is there', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ text: 'Hello', mayBeSent: true }))
  renderComposer({ draftKey })
  expect(screen.getByText('It may have gone through')).toBeDefined()
  await user.clear(field())
  expect(screen.queryByText('It may have gone through')).toBeNull()
  expect(stored(draftKey)).toBeNull()
})

test('T2 the warning stays when the client refuses to send the text again', async () => {
  const draftKey = newKey()
  const draft = JSON.stringify({ text: 'Hello', mayBeSent: true })
  sessionStorage.setItem(nameOf(draftKey), draft)
  const apiKey = () => {
    throw new Error('no key')
  }
  renderComposer({ draftKey }, { apiKey })
  await user.click(button('Send again anyway'))
  const title = await screen.findByText('It may have gone through. Not sent', { exact: false })
  expect(describedBy(button('Send again anyway'))).toEqual([title.textContent])
  expect(field().value).toBe('Hello')
  expect(stored(draftKey)).toBe(draft)
})

test('T2 accepted and discarded texts are removed from the storage', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  renderComposer({ draftKey }, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  expect(stored(draftKey)).toBeNull()
  service.failNext({ status: 404 })
  await send('discarded')
  await messageThatSays('discarded', /Not sent/)
  expect(stored(draftKey)).toContain('discarded')
  await user.click(button('Discard'))
  expect(stored(draftKey)).toBeNull()
})

test('T5 a message outlives its composer: the next one shows what has become of it', async () => {
  const draftKey = newKey()
  const { service, release } = heldService()
  const { update } = renderComposer({ draftKey }, { service })
  await send('Hello')
  update(null)
  update({ draftKey })
  await messageThatSays('Hello', 'Sending…')
  await release()
  await messageThatSays('Hello', 'Queued')
  expect(posts(service)).toBe(1)
})

test('T5 a message that was not accepted is in the list of the next composer, and an accepted one is not', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  const { update } = renderComposer({ draftKey }, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  service.failNext({ status: 401 })
  await send('refused')
  await messageThatSays('refused', 'Not sent · API key rejected')
  update(null)
  update({ draftKey })
  const refused = await messageThatSays('refused', 'Not sent · API key rejected')
  expect(messages()).toEqual([refused])
  expect(field().value).toBe('')
})

test('T5 if the app clears the storage while there is no composer, it has cleared all texts', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  const { update } = renderComposer({ draftKey }, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  service.failNext({ status: 404 })
  await send('refused')
  await messageThatSays('refused', /Not sent/)
  await write('of somebody who logs out')
  update(null)
  sessionStorage.clear()
  update({ draftKey })
  expect(field().value).toBe('')
  expect(messages()).toEqual([])
})

test('T3 stores only the text, and never the API key', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  service.failNext({ status: 404, body: JSON.stringify({ code: 'c', message: 'of the service', status: 400 }) })
  renderComposer({ draftKey }, { service, apiKey: 'demo' })
  await send('Hello')
  await messageThatSays('Hello', /Not sent/)
  expect(Object.keys(sessionStorage)).toEqual([nameOf(draftKey)])
  expect(stored(draftKey)).not.toMatch(/demo|Bearer|service/)
  expect(JSON.parse(stored(draftKey) ?? '')).toEqual({ text: 'Hello', mayBeSent: false })
})

test.each(['', '{', 'null', '{"text":1,"mayBeSent":false}', '{"text":"a"}', 'of another script'])(
  'T4 %j in the storage is no draft, and does no harm',
  async (text) => {
    const draftKey = newKey()
    sessionStorage.setItem(nameOf(draftKey), text)
    renderComposer({ draftKey })
    expect(field().value).toBe('')
    expect(messages()).toEqual([])
    await write('Hello')
    expect(field().value).toBe('Hello')
  },
)

const longest = 'x'.repeat(50_000)
test.each([
  ['50,001 characters is not', `${longest}x`, ''],
  ['50,000 characters is', longest, longest],
])('T4 a stored text of %s shown', (_, text, shown) => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ text, mayBeSent: false }))
  renderComposer({ draftKey })
  expect(field().value).toBe(shown)
})

test('T4 a draft of more than 50,000 characters lives as long as the page, and is stored again when it is shorter', () => {
  const draftKey = newKey()
  const { update } = renderComposer({ draftKey })
  fireEvent.change(field(), { target: { value: `${longest}x` } })
  expect(stored(draftKey)).toBeNull()
  update(null)
  update({ draftKey })
  expect(field().value).toBe(`${longest}x`)
  fireEvent.change(field(), { target: { value: longest } })
  expect(JSON.parse(stored(draftKey) ?? '')).toEqual({ text: longest, mayBeSent: false })
})

test('T4 works without a storage, and texts then live as long as the page', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) refuseStorage(method)
  const draftKey = newKey()
  const { update } = renderComposer({ draftKey })
  await send('Hello')
  await messageThatSays('Hello', 'Queued')
  await write('next')
  update(null)
  update({ draftKey })
  expect(field().value).toBe('next')
})

test('T4 a full storage keeps no text that has been sent since', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  service.failNext({ status: 404 })
  renderComposer({ draftKey }, { service })
  await send('Hello')
  await messageThatSays('Hello', /Not sent/)
  refuseStorage('setItem')
  fireEvent.change(field(), { target: { value: 'far too much' } })
  await user.click(button('Try again'))
  await messageThatSays('Hello', 'Queued')
  expect(stored(draftKey) ?? '').not.toContain('Hello')
  expect(field().value).toBe('far too much')
})

test('T5 two composers with one key share their texts', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  render(
    <OwnCache>
      <PetstoreProvider {...providerOptions(service)}>
        <MessageComposer draftKey={draftKey} labels={{ message: 'One' }} />
        <MessageComposer draftKey={draftKey} labels={{ message: 'Other' }} />
      </PetstoreProvider>
    </OwnCache>,
  )
  const [one, other] = [
    screen.getByLabelText<HTMLTextAreaElement>('One'),
    screen.getByLabelText<HTMLTextAreaElement>('Other'),
  ]
  await user.click(one)
  await user.paste('Hello')
  expect(other.value).toBe('Hello')
  await user.click(other)
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(one.value).toBe('')
  // In the lists: the live region announces the same text for a moment.
  await waitFor(() => expect(screen.getAllByText('Queued', { selector: 'li *' })).toHaveLength(2))
  expect(posts(service)).toBe(1)
})

test('T6 another draft key shows its own texts, and keeps those of the first key', async () => {
  const [one, other] = [newKey(), newKey()]
  const { update } = renderComposer({ draftKey: one })
  await write('of one')
  update({ draftKey: other })
  expect(field().value).toBe('')
  await write('of the other')
  update({ draftKey: one })
  expect(field().value).toBe('of one')
})

function composerPage(draftKey: string, service = createPetstoreService()) {
  const options = providerOptions(service)
  return (
    <StrictMode>
      <PetstoreProvider {...options}>
        <MessageComposer draftKey={draftKey} maxLength={140} />
      </PetstoreProvider>
    </StrictMode>
  )
}

/** Puts server HTML into the page, and returns a function that hydrates it. */
function serverPage(draftKey: string) {
  const page = composerPage(draftKey)
  const container = document.createElement('div')
  container.innerHTML = renderToString(page)
  document.body.append(container)
  return {
    container,
    hydrate: async () => {
      const root = await act(async () => hydrateRoot(container, page))
      onTestFinished(() => act(() => root.unmount()))
    },
  }
}

test('T7 server HTML contains no text and no style, and hydrates without warnings; then the text returns', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ text: 'stored text', mayBeSent: true }))
  const { container, hydrate } = serverPage(draftKey)
  expect(container.innerHTML).not.toMatch(/stored text|gone through|style=/)
  await hydrate()
  expect(field().value).toBe('stored text')
  expect(screen.getByText('It may have gone through')).toBeDefined()
})

test.each([
  ['MacIntel', 'Press ⌘ Return to send.'],
  ['iPhone', 'Press ⌘ Return to send.'],
  ['Win32', 'Press Ctrl+Enter to send.'],
  ['Linux x86_64', 'Press Ctrl+Enter to send.'],
])('M1 T7 on %s the hint says "%s", and the server HTML says the one for most keyboards', async (platform, hint) => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform)
  const logged = vi.spyOn(console, 'error')
  onTestFinished(() => void vi.restoreAllMocks())
  const { container, hydrate } = serverPage(newKey())
  expect(container.textContent).toContain('Press Ctrl+Enter to send.')
  await hydrate()
  expect(container.textContent).toContain(hint)
  expect(logged).not.toHaveBeenCalled()
})

test('T7 text typed before hydration stays, after the stored text', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ text: 'stored', mayBeSent: false }))
  const { hydrate } = serverPage(draftKey)
  field().value = 'typed early'
  await hydrate()
  expect(field().value).toBe('stored\ntyped early')
})

test('T7 a field that the browser has filled again is not doubled', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ text: 'stored', mayBeSent: false }))
  const { hydrate } = serverPage(draftKey)
  field().value = 'stored'
  await hydrate()
  expect(field().value).toBe('stored')
})
