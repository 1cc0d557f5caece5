import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MessageComposer, NetworkError, type PetstoreProviderProps, RateLimitError } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { recordAnnouncements } from './announcements.ts'
import {
  field,
  messages,
  messageThatSays,
  newKey,
  posts,
  renderComposer,
  send,
  sendButton,
  write,
} from './MessageComposer.setup.tsx'
import { advanceTime, cleanPage, describedBy, fakeTime, refusedFor, user } from './page.setup.ts'
import { renderWaiting } from './waits.setup.tsx'

cleanPage()

const context = { operation: 'sendMessage', attempts: 0, method: 'POST', replay: 'only-if-refused' } as const
const limit = (seconds: number, attempts = 0) =>
  new RateLimitError({ ...context, attempts }, Date.now() + seconds * 1_000)

/** The refusal of the text in the field. */
const refusal = () => sendButton().closest('form')?.querySelector('.petstore-message-composer-advice')?.textContent

/** Records which texts the list of messages has shown. */
function recordMessages(): ReadonlySet<string | null> {
  const seen = new Set<string | null>()
  const observer = new MutationObserver(() => messages().map(({ textContent }) => seen.add(textContent)))
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return seen
}

test('S8 where the limit is known to last too long, the text does not leave the field', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(600))
  renderComposer({}, { service })
  await send('one')
  await messageThatSays('one', 'Not sent · request limit reached')
  await advanceTime(200)
  expect(sendButton().textContent).toMatch(/^Send at \d+:\d\d\s[AP]MSend$/)
  const announcements = recordAnnouncements()
  const seen = recordMessages()
  await send('two')
  expect(field().value).toBe('two')
  expect(document.activeElement).toBe(field())
  expect(refusal()).toMatch(/^Not sent · request limit reachedYou can try again in 10 minutes, at \d+:\d\d\s[AP]M\.$/)
  expect(describedBy(sendButton())).toEqual(['Not sent · request limit reached'])
  expect(sendButton().getAttribute('aria-disabled')).toBe('true')
  expect(sendButton().textContent).toMatch(/^Send at \d+:\d\d\s[AP]MSend$/)
  expect(describedBy(field())).toEqual([''])
  await advanceTime(200)
  const spoken = /^Not sent · request limit reached\. You can try again in 10 minutes, at \d+:\d\d\s[AP]M\.$/
  expect(announcements).toEqual([expect.stringMatching(spoken)])
  await advanceTime(1_000)
  await user.keyboard('{Control>}{Enter}{/Control}')
  await advanceTime(200)
  expect(announcements.slice(1)).toEqual([expect.stringMatching(spoken)])
  expect([...seen].filter((text) => text?.includes('two'))).toEqual([])
  expect(posts(service)).toBe(1)

  await advanceTime(620_000)
  expect(refusal()).toBe('Not sent · request limit reachedYou can try again now.')
  await advanceTime(200)
  expect(announcements.at(-1)).toBe('You can try again now.')
  await user.click(sendButton())
  await messageThatSays('two', 'Queued')
  expect(field().value).toBe('')
  expect(refusal()).toBeUndefined()
  expect(describedBy(sendButton())).toEqual([])
})

test('S8 a text whose turn would come too late is back in the field', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const onError = vi.fn<NonNullable<PetstoreProviderProps['onError']>>()
  const { fail } = renderWaiting(<MessageComposer />, { onError })
  await send('Hello')
  expect(messages()).toHaveLength(1)
  const error = limit(90)
  await fail(error)
  expect(onError.mock.calls).toEqual([[error, { operation: 'sendMessage', handled: true }]])
  expect(field().value).toBe('Hello')
  expect(messages()).toEqual([])
  expect(refusal()).toBe('Not sent · request limit reachedYou can try again in 2 minutes.')
  await advanceTime(200)
  expect(announcements).toHaveLength(1)
  expect(document.activeElement).toBe(field())
})

test('S8 after any failure before anything was sent, the text is back in the field, with what to do about it', async () => {
  const { fail } = renderWaiting(<MessageComposer />)
  await send('Hello')
  await fail(new NetworkError(context, undefined))
  expect(field().value).toBe('Hello')
  expect(refusal()).toBe('Not sent · can’t reach the serviceCheck your internet connection, then try again.')
})

test('S8 if the field holds another text by then, the message stays in the list', async () => {
  const { fail } = renderWaiting(<MessageComposer />)
  await send('Hello')
  await write('And')
  await fail(limit(90))
  expect(field().value).toBe('And')
  expect(refusal()).toBeUndefined()
  const message = await messageThatSays('Hello', 'Not sent · request limit reached')
  expect(within(message).getByText('Edit')).toBeDefined()
})

test.each<[string, attempts: number, hasWaited: boolean]>([
  ['had begun to wait', 0, true],
  ['was sent, and refused', 1, false],
])('S8 a message that %s stays in the list', async (_, attempts, hasWaited) => {
  const { wait, fail } = renderWaiting(<MessageComposer />)
  await send('Hello')
  if (hasWaited) await wait(30, 'rate-limit')
  await fail(limit(90, attempts))
  expect(field().value).toBe('')
  await messageThatSays('Hello', 'Not sent · request limit reached')
})

test('S8 another key has another limit', async () => {
  fakeTime()
  const service = createPetstoreService({ keys: ['demo', 'other'] })
  service.failNext(refusedFor(600))
  const { update } = renderComposer({}, { service })
  await send('one')
  await messageThatSays('one', 'Not sent · request limit reached')
  await send('two')
  expect(refusal()).toContain('Not sent')
  update({}, { apiKey: 'other' })
  expect(refusal()).toBeUndefined()
  expect(field().value).toBe('two')
  await user.click(sendButton())
  await messageThatSays('two', 'Queued')
})

test('S8 T2 a refused text is stored, and the refusal is not', async () => {
  fakeTime()
  const draftKey = newKey()
  const service = createPetstoreService()
  service.failNext(refusedFor(600))
  renderComposer({ draftKey }, { service })
  await send('one')
  await messageThatSays('one', 'Not sent · request limit reached')
  await send('two')
  const stored: unknown = JSON.parse(sessionStorage.getItem(`petstore::${draftKey}`) ?? '')
  expect(stored).toEqual({ text: 'one\n\ntwo', mayBeSent: false })
  expect(screen.getAllByText('You can try again', { exact: false, selector: 'p' })).not.toEqual([])
})
