import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MessageComposer } from '../../src/index.ts'
import { PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { noResponse, OwnCache } from '../renderOnService.tsx'
import {
  button,
  buttonsIn,
  field,
  heldService,
  messages,
  messageThatSays,
  newKey,
  posts,
  providerOptions,
  renderComposer,
  send,
  sendButton,
  write,
} from './MessageComposer.setup.tsx'
import { cleanPage, refusedFor, user } from './page.setup.ts'

cleanPage()

/** The content of the storage: all that survives a reload. */
const stored = (key: string) => sessionStorage.getItem(nameOf(key))
const nameOf = (key: string) => `petstore::${key}`

/** Copies the storage to another key, since this page still knows the first one, and so simulates a reload. */
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

test('T2 each failed text returns as not sent or as possibly sent', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  service.failNext({ status: 404 })
  service.failNext({ connection: 'lost-after' })
  renderComposer({ draftKey }, { service })
  await send('refused')
  await messageThatSays('refused', /Not sent/)
  await send('lost')
  await messageThatSays('lost', 'It may have gone through')
  await write('draft')
  const at = messages().map((message) => message.querySelector('time')?.dateTime)
  cleanup()

  const { service: next } = renderComposer({ draftKey: afterReload(draftKey) })
  const lost = await messageThatSays('lost', 'It may have gone through')
  const refused = await messageThatSays('refused', 'Not sent')
  expect(messages()).toEqual([lost, refused])
  expect(messages().map((message) => message.querySelector('time')?.dateTime)).toEqual(at)
  expect(buttonsIn(lost)).toEqual(['Send again anyway', 'Discard'])
  expect(buttonsIn(refused)).toEqual(['Try again', 'Edit', 'Discard'])
  expect(field().value).toBe('draft')
  expect(next.requests).toEqual([]) // nothing is sent by itself

  await user.click(within(refused).getByText('Try again'))
  await messageThatSays('refused', 'Queued')
})

test('T2 after a reload a message under way may have been sent, and a waiting one was not', async () => {
  const sending = newKey()
  renderComposer({ draftKey: sending }, { fetch: noResponse })
  await send('left')
  const left = afterReload(sending)
  cleanup()

  const waiting = newKey()
  const service = createPetstoreService()
  service.failNext(refusedFor(4))
  renderComposer({ draftKey: waiting }, { service })
  await send('waits')
  await messageThatSays('waits', /Will send in/)
  const waited = afterReload(waiting)
  cleanup()

  renderComposer({ draftKey: left })
  await messageThatSays('left', 'It may have gone through')
  cleanup()
  renderComposer({ draftKey: waited })
  await messageThatSays('waits', 'Not sent')
  expect(service.messages()).toEqual([])
})

test('T2 accepted and discarded texts are removed from the storage', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  renderComposer({ draftKey }, { service })
  await send('taken')
  await messageThatSays('taken', 'Queued')
  expect(stored(draftKey)).toBeNull()
  service.failNext({ status: 404 })
  await send('discarded')
  await messageThatSays('discarded', /Not sent/)
  expect(stored(draftKey)).toContain('discarded')
  await user.click(button('Discard'))
  expect(stored(draftKey)).toBeNull()
})

test('T2 a message outlives its composer: the next one shows what has become of it', async () => {
  const draftKey = newKey()
  const { service, held, release } = heldService()
  const { update } = renderComposer({ draftKey }, { service })
  await send('Hello')
  await waitFor(() => expect(held()).toBe(1))
  update(null)
  update({ draftKey })
  await messageThatSays('Hello', 'Sending…')
  release()
  await messageThatSays('Hello', 'Queued')
  expect(posts(service)).toBe(1)
})

test('T2 without a composer the texts are in the storage only, and the app can clear them', async () => {
  const draftKey = newKey()
  const { update } = renderComposer({ draftKey })
  await write('of somebody who logs out')
  update(null)
  sessionStorage.clear()
  update({ draftKey })
  expect(field().value).toBe('')
})

test('T3 stores only texts and times, and never the API key', async () => {
  const draftKey = newKey()
  const service = createPetstoreService()
  service.failNext({ status: 404, body: JSON.stringify({ code: 'c', message: 'of the service', status: 400 }) })
  renderComposer({ draftKey }, { service, apiKey: 'demo' })
  await send('Hello')
  await messageThatSays('Hello', /Not sent/)
  expect(Object.keys(sessionStorage)).toEqual([nameOf(draftKey)])
  expect(stored(draftKey)).not.toMatch(/demo|Bearer|service/)
  expect(JSON.parse(stored(draftKey) ?? '')).toEqual({
    draft: '',
    messages: [{ id: expect.any(String), text: 'Hello', at: expect.any(Number), mayBeSent: false }],
  })
})

test.each([
  '',
  '{',
  'null',
  '{"draft":1,"messages":[]}',
  '{"draft":"a","messages":[{"text":"b"}]}',
  'of another script',
])('T4 %j in the storage is no outbox, and does no harm', async (text) => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), text)
  renderComposer({ draftKey })
  expect(field().value).toBe('')
  expect(messages()).toEqual([])
  await write('Hello')
  expect(field().value).toBe('Hello')
})

const longest = 'x'.repeat(50_000)
const storedMessage = (id: number, text: string) => ({ id: String(id), text, at: id, mayBeSent: false })

test.each([
  ['a draft of more than 50,000 characters', `${longest}x`, [storedMessage(1, 'Hello')], '', ['Hello']],
  [
    'a message of more than 50,000',
    'next',
    [storedMessage(1, `${longest}x`), storedMessage(2, 'Hello')],
    'next',
    ['Hello'],
  ],
  ['200,000 characters in all', 'next', [1, 2, 3, 4, 5].map((id) => storedMessage(id, longest)), '', []],
  ['a draft of 50,000', longest, [], longest, []],
])('T4 of %s in the storage, only what is shorter is shown', (_, draft, all, shownDraft, shown) => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ draft, messages: all }))
  renderComposer({ draftKey })
  expect(field().value).toBe(shownDraft)
  expect(messages().map(({ textContent }) => /Hello/.exec(textContent ?? '')?.[0])).toEqual(shown)
})

test('T4 of a thousand stored messages, the hundred newest are shown', () => {
  const draftKey = newKey()
  const all = Array.from({ length: 1_000 }, (_, id) => storedMessage(id, `Hello ${id}.`))
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ draft: '', messages: all }))
  renderComposer({ draftKey })
  expect(messages()).toHaveLength(100)
  expect(messages()[0]?.textContent).toContain('Hello 0.')
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
  expect(JSON.parse(stored(draftKey) ?? '')).toEqual({ draft: longest, messages: [] })
})

test.each([1e308, -1e308, 8.64e15 + 1])('T4 a stored message with the time %d keeps its text', (at) => {
  const draftKey = newKey()
  const wrong = { id: '1', text: 'Hello', at, mayBeSent: false }
  const right = { id: '2', text: 'Goodbye', at: 0, mayBeSent: true }
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ draft: 'next', messages: [wrong, right] }))
  renderComposer({ draftKey })
  expect(field().value).toBe('next')
  expect(messages().map(({ textContent }) => /Hello|Goodbye/.exec(textContent ?? '')?.[0])).toEqual([
    'Hello',
    'Goodbye',
  ])
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

test('T4 a full storage keeps nothing that is not true any more', async () => {
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

test('T7 server HTML contains no text and no style, and hydrates without warnings; then the texts return', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(
    nameOf(draftKey),
    JSON.stringify({ draft: 'draft', messages: [{ id: '1', text: 'failed', at: 1, mayBeSent: false }] }),
  )
  const { container, hydrate } = serverPage(draftKey)
  expect(container.innerHTML).not.toMatch(/draft"|failed|style=/)
  expect(container.querySelector('li')).toBeNull()
  await hydrate()
  expect(field().value).toBe('draft')
  await messageThatSays('failed', 'Not sent')
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
  const first = serverPage(draftKey)
  field().value = 'typed early'
  await first.hydrate()
  expect(field().value).toBe('typed early')
  fireEvent.change(field(), { target: { value: 'typed early, and late' } })
  expect(stored(draftKey)).toContain('typed early, and late')
  cleanup()
  document.body.replaceChildren()

  const next = newKey()
  sessionStorage.setItem(nameOf(next), JSON.stringify({ draft: 'stored', messages: [] }))
  const second = serverPage(next)
  field().value = 'typed early'
  await second.hydrate()
  expect(field().value).toBe('stored\ntyped early')
})

test('T7 a field that the browser has filled again is not doubled', async () => {
  const draftKey = newKey()
  sessionStorage.setItem(nameOf(draftKey), JSON.stringify({ draft: 'stored', messages: [] }))
  const { hydrate } = serverPage(draftKey)
  field().value = 'stored'
  await hydrate()
  expect(field().value).toBe('stored')
})

test('T7 before hydration, submitting does not leave the page', () => {
  const { container } = serverPage(newKey())
  expect(container.querySelector('form')?.method).toBe('dialog')
})

test('T6 W2 the error of one draft key is not shown for another', async () => {
  const [one, other] = [newKey(), newKey()]
  const { update } = renderComposer({ draftKey: one })
  await user.click(sendButton())
  expect(field().getAttribute('aria-invalid')).toBe('true')
  update({ draftKey: other })
  expect(field().getAttribute('aria-invalid')).toBe('false')
})
