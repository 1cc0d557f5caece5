import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MessageComposer } from '../../src/index.ts'
import { en } from '../../src/labels/en.ts'
import { createPetstoreService, type Fault } from '../../src/testing.ts'
import {
  button,
  buttonsIn,
  field,
  messages,
  messageThatSays,
  newKey,
  posts,
  renderComposer,
  send,
  write,
} from './MessageComposer.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, describedBy, fakeTime, refusedFor, user, heldService } from './page.setup.ts'
import { renderWaiting } from './waits.setup.tsx'

cleanPage()

const body = (status: number, message: string) => JSON.stringify({ code: 'some_code', message, status })

test('L1 shows the text with its line breaks and direction, and the time of the service', async () => {
  const { service } = renderComposer()
  await send('سلام\n\n  there')
  const message = await messageThatSays('there', 'Queued')
  const text = message.querySelector('[dir="auto"]')
  expect(text?.textContent).toBe('سلام\n\n  there')
  const time = message.querySelector('time')
  expect(time?.dateTime).toBe(service.messages()[0]?.createdAt)
  expect(time?.textContent).toMatch(/\d:\d\d/)
  expect(message.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})

test('L2 another status is shown in the service’s own word', async () => {
  const response = { id: '1', message: 'Hello', status: 'تم التسليم', createdAt: '2026-01-02T03:04:05Z' }
  renderComposer({}, { fetch: async () => Response.json(response) })
  const announcements = recordAnnouncements()
  await send('Hello')
  const message = await messageThatSays('Hello', 'تم التسليم')
  expect(within(message).getByText('تم التسليم').dir).toBe('auto')
  expect(within(message).getByText(/Accepted · status:/)).toBeDefined()
  await waitFor(() => expect(announcements.join(' ')).toContain('Accepted · status: \u2068تم التسليم\u2069'))
})

const refusals: readonly (readonly [fault: Fault, status: string, prefix: string])[] = [
  [{ status: 401, body: body(401, 'Who are you?') }, 'Not sent · API key rejected', 'Message from the service: '],
  [{ status: 404, body: body(404, 'Nothing here.') }, 'Not sent · unexpected response', ''],
]

test.each(refusals)('L3 T1 %j: “%s”, with the service’s message; the text stays', async (fault, status, prefix) => {
  const service = createPetstoreService()
  service.failNext(fault)
  renderComposer({}, { service })
  await send('two\nlines')
  const message = await messageThatSays('two', status)
  const serviceMessage = within(message).getByText(/Who are|Nothing here/)
  expect(serviceMessage.dir).toBe('auto')
  expect(serviceMessage.closest('p')?.textContent).toBe(prefix + serviceMessage.textContent)
  expect(buttonsIn(message)).toEqual(['Try again', 'Edit', 'Discard'])

  await user.click(button('Try again'))
  await messageThatSays('two', 'Queued')
  expect(messages()).toHaveLength(1)
  expect(service.messages().map(({ message: sent }) => sent)).toEqual(['two\nlines'])
})

test('L3 a message that is refused as invalid can be edited, but not sent again as it is; “Edit” moves its text into the field', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 400, body: body(400, 'No rabbits, please.') })
  renderComposer({}, { service })
  await send('one\ntwo')
  const message = await messageThatSays('one', 'Not sent · something you entered can’t be used')
  expect(within(message).getByText('No rabbits, please.').dir).toBe('auto')
  expect(buttonsIn(message)).toEqual(['Edit', 'Discard'])
  await user.click(button('Edit'))
  expect(field().value).toBe('one\ntwo')
  expect(document.activeElement).toBe(field())
  expect(messages()).toEqual([])
  expect(posts(service)).toBe(1)
})

test('L3 “Edit” does nothing while the field has a text, and says why', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 400 })
  renderComposer({}, { service })
  await send('old')
  await messageThatSays('old', /Not sent/)
  expect(button('Edit').getAttribute('aria-disabled')).toBe('false')
  await write('new')
  expect(button('Edit').getAttribute('aria-disabled')).toBe('true')
  expect(button('Edit').hasAttribute('disabled')).toBe(false)
  expect(describedBy(button('Edit'))).toEqual(['Send or clear your current message first.'])
  await user.click(button('Edit'))
  expect(document.activeElement).toBe(button('Edit'))
  expect(field().value).toBe('new')
  expect(messages()).toHaveLength(1)
})

test('L3 F2 “Discard” asks nothing and discards only its own message; the focus goes to the next one, or to the field', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 400 }, 2)
  renderComposer({}, { service })
  await send('one')
  await send('two')
  const one = await messageThatSays('one', /Not sent/)
  await messageThatSays('two', /Not sent/)
  await user.click(within(one).getByText('Discard'))
  expect(messages()).toEqual([await messageThatSays('two', /Not sent/)])
  expect(document.activeElement).toBe(field())
})

const lost: readonly (readonly [fault: Fault])[] = [
  [{ status: 503, body: body(503, 'Out to lunch.') }],
  [{ connection: 'lost-after' }],
  [{ connection: 'lost-before' }],
]

test.each(lost)('L5 S3 %j: the message may have been sent, and is sent again only on request', async (fault) => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(fault)
  renderComposer({}, { service, retry: { attempts: 5 } })
  await send('Hello')
  const message = await messageThatSays('Hello', 'It may have gone through')
  expect(message.textContent).toContain('Check before you try again.')
  expect(buttonsIn(message)).toEqual(['Send again anyway', 'Discard'])
  await advanceTime(100_000)
  expect(posts(service)).toBe(1)

  await user.click(button('Send again anyway'))
  await messageThatSays('Hello', 'Queued')
  expect(posts(service)).toBe(2)
})

const unread: readonly (readonly [fault: Fault])[] = [[{ body: 'malformed-json' }], [{ body: 'wrong-shape' }]]

test.each(unread)('L6 %j: the message was sent, and cannot be sent again', async (fault) => {
  const service = createPetstoreService()
  service.failNext(fault)
  renderComposer({}, { service })
  await send('Hello')
  const message = await messageThatSays('Hello', 'Sent, but the response couldn’t be read')
  expect(buttonsIn(message)).toEqual(['Discard'])
  expect(service.messages()).toHaveLength(1)
})

test('L4 S4 a message counts down while it waits, and is sent when the rate limit allows', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(4))
  renderComposer({}, { service })
  await send('Hello')
  const message = await messageThatSays('Hello', /Waiting for the request limit\. Will send in [456] seconds\./)
  expect(message.querySelector('[aria-live], [role="status"], [role="alert"]')).toBeNull()
  expect(buttonsIn(message)).toEqual(['Cancel'])
  await advanceTime(2_000)
  await messageThatSays('Hello', /Will send in [1234] seconds\./)
  expect(posts(service)).toBe(1)
  await advanceTime(6_000)
  await messageThatSays('Hello', 'Queued')
  expect(posts(service)).toBe(2)
})

test('A1 announces a wait again when its reason changes, and not when its time does', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const { wait, leave } = renderWaiting(<MessageComposer />)
  await send('Hello')
  await wait(8, 'rate-limit')
  await wait(9, 'rate-limit', true)
  await leave()
  await advanceTime(200)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await wait(4, 'connection')
    await leave()
  }
  await advanceTime(200)
  expect(announcements).toEqual([
    '“Hello”: Waiting for the request limit. Will send in 8 seconds.',
    '“Hello”: Can’t reach the service. Trying again in 4 seconds.',
  ])
})

test('L4 if the wait is too long, “Try again” does nothing before its time, and says why', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(70))
  renderComposer({}, { service })
  await send('Hello')
  const message = await messageThatSays('Hello', 'Not sent · request limit reached')
  const retry = within(message).getByText('Try again')
  expect(retry.getAttribute('aria-disabled')).toBe('true')
  expect(retry.hasAttribute('disabled')).toBe(false)
  expect(describedBy(retry)).toEqual(['Not sent · request limit reached'])
  const countdown = within(message).getByText(/You can try again in 1 minute\./)
  expect(retry.contains(countdown)).toBe(false)
  expect(describedBy(retry)[0]).not.toMatch(/\d/)
  expect(countdown.closest('[aria-live], [role="status"], [role="alert"]')).toBeNull()
  await user.click(retry)
  expect(posts(service)).toBe(1)
  await messageThatSays('Hello', 'Not sent · request limit reached')

  await advanceTime(80_000)
  expect(retry.getAttribute('aria-disabled')).toBe('false')
  await user.click(retry)
  await messageThatSays('Hello', 'Queued')
})

test('L4 a refusal of another status holds “Try again” until its Retry-After too', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext({ status: 403, headers: { 'Retry-After': '600' } })
  renderComposer({}, { service })
  await send('Hello')
  const message = await messageThatSays('Hello', 'Not sent · API key paused by the service')
  expect(within(message).getByText(/^Nothing is sent until \d+:\d\d\s[AP]M\.$/)).toBeDefined()
  const retry = within(message).getByText('Try again')
  expect(retry.getAttribute('aria-disabled')).toBe('true')
  for (let press = 0; press < 6; press += 1) await user.click(retry)
  expect(posts(service)).toBe(1)
})

test.each(['while the composer is away', 'after another composer was mounted'])(
  'A1 an outcome %s is announced, once',
  async (moment) => {
    const announcements = recordAnnouncements()
    const { service, release } = heldService()
    service.failNext({ status: 500 })
    const draftKey = newKey()
    const { update } = renderComposer({ draftKey }, { service })
    await send('Hello')
    update(null)
    if (moment.startsWith('after')) update({ draftKey })
    await release()
    const announcement = `“Hello”: ${en.errorNotice.situations.mayHaveHappened.title}`
    await waitFor(() => expect(announcements.filter(Boolean)).toEqual([announcement]))
    update({ draftKey })
    await messageThatSays('Hello', en.errorNotice.situations.mayHaveHappened.title)
    expect(announcements.filter(Boolean)).toHaveLength(1)
  },
)

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

test.each([
  ['nine lines', lines(9)],
  ['1,001 characters', 'x'.repeat(1_001)],
])('L10 a message of %s shows its first lines, and all of it on request', async (_, text) => {
  renderComposer()
  await send(text)
  const message = await messageThatSays(text.slice(0, 6), 'Queued')
  const shown = message.firstElementChild as HTMLElement
  expect(shown.dataset['clamped']).toBe('true')
  expect(shown.textContent).toBe(text)
  const more = within(message).getByText('Show all')
  expect(more.getAttribute('aria-expanded')).toBe('false')
  expect(more.getAttribute('aria-controls')).toBe(shown.id)
  await user.click(more)
  expect(shown.dataset['clamped']).toBeUndefined()
  expect(more.textContent).toBe('Show less')
  expect(more.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(more)
  await user.click(more)
  expect(shown.dataset['clamped']).toBe('true')
})
