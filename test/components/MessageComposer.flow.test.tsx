import { fireEvent, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import {
  button,
  buttonsIn,
  field,
  messages,
  messageThatSays,
  renderComposer,
  send,
  write,
} from './MessageComposer.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, fakeTime, refusedFor, user, heldService } from './page.setup.ts'

cleanPage()

test('S4 a message canceled while waiting is never sent, and the others are', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderComposer({}, { service })
  await send('one')
  await messageThatSays('one', /Will send in/)
  await send('two')
  const two = await messageThatSays('two', /Will send in/)
  await user.click(within(two).getByText('Cancel'))
  await messageThatSays('two', 'Canceled')
  expect(buttonsIn(two)).toEqual(['Try again', 'Edit', 'Discard'])
  await advanceTime(60_000)
  await messageThatSays('one', 'Queued')
  expect(service.messages().map(({ message }) => message)).toEqual(['one'])

  await user.click(within(two).getByText('Try again'))
  await messageThatSays('two', 'Queued')
  expect(service.messages().map(({ message }) => message)).toEqual(['one', 'two'])
})

test('S4 a message that is canceled and retried during the wait is sent once', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderComposer({}, { service })
  await send('one')
  const one = await messageThatSays('one', /Will send in/)
  // Both happen before the first call ends.
  fireEvent.click(within(one).getByText('Cancel'))
  fireEvent.click(within(one).getByText('Try again'))
  await messageThatSays('one', /Will send in/)
  await advanceTime(10_000)
  await messageThatSays('one', 'Queued')
  expect(service.messages()).toHaveLength(1)
})

test('S2 S5 the field is free while messages are under way; they keep their order, and each has its own outcome', async () => {
  const { service, release } = heldService()
  renderComposer({}, { service, plan: 'business' })
  service.failNext({ status: 400 })
  service.failNext({ connection: 'lost-after' })
  await send('first')
  expect([field().value, field().readOnly]).toEqual(['', false])
  await send('second')
  await send('third')
  for (const [text, status] of [
    ['first', /Not sent/],
    ['second', /It may have gone through/],
    ['third', /Queued/],
  ] as const) {
    await release()
    await messageThatSays(text, status)
  }
  expect(messages().map(({ dataset }) => dataset['status'])).toEqual(['accepted', 'unknown', 'failed'])
  expect(messages().map(({ textContent }) => /^(first|second|third)/.exec(textContent ?? '')?.[0])).toEqual([
    'third',
    'second',
    'first',
  ])
})

test('L8 with another key accepted messages disappear; other texts stay, and are sent with the new key', async () => {
  const service = createPetstoreService({ keys: ['demo', 'next'] })
  const { update } = renderComposer({}, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  service.failNext({ status: 401 })
  await send('refused')
  await messageThatSays('refused', /API key rejected/)
  await write('draft')

  update({}, { apiKey: 'next' })
  expect(messages().map(({ textContent }) => textContent?.slice(0, 7))).toEqual(['refused'])
  expect(field().value).toBe('draft')
  await user.click(button('Try again'))
  await messageThatSays('refused', 'Queued')
  expect(service.requests.at(-1)?.key).toBe('next')
})

test('L8 with another key a message under way may have been sent, and a waiting one was not', async () => {
  const service = createPetstoreService({ keys: ['demo', 'next'] })
  let lose = () => {}
  const fetch = () =>
    new Promise<Response>((_, reject) => {
      lose = () => reject(new TypeError('fetch failed'))
    })
  const { update } = renderComposer({}, { service, fetch })
  await send('left')
  await messageThatSays('left', 'Sending…')
  update({}, { apiKey: 'next' })
  const left = await messageThatSays('left', 'It may have gone through')
  within(left).getByText('Check before you try again.')
  // Ends the request of the key `demo`, so that it does not hold back the next one of this key.
  lose()

  service.failNext(refusedFor(4))
  update({}, { apiKey: 'demo', fetch: service.fetch })
  await send('waits')
  await messageThatSays('waits', /Will send in/)
  update({}, { apiKey: 'next', fetch: service.fetch })
  await messageThatSays('waits', /Not sent/)
  expect(service.messages()).toEqual([])
})

test('F3 a message receives the focus when its focused button disappears, by a press or by itself', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderComposer({}, { service })
  await send('Hello')
  const message = await messageThatSays('Hello', /Will send in/)
  button('Cancel').focus()
  await user.keyboard('{Enter}')
  await messageThatSays('Hello', 'Canceled')
  expect(document.activeElement).toBe(message)

  button('Try again').focus()
  await user.keyboard('{Enter}')
  await messageThatSays('Hello', /Will send in/)
  expect(document.activeElement).toBe(message)
  button('Cancel').focus()
  await advanceTime(8_000)
  await messageThatSays('Hello', 'Queued')
  expect(document.activeElement).toBe(message)
})

test('F3 does not take the focus from a person who has moved on', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderComposer({}, { service })
  await send('Hello')
  await messageThatSays('Hello', /Will send in/)
  button('Cancel').focus()
  field().focus()
  await advanceTime(8_000)
  await messageThatSays('Hello', 'Queued')
  expect(document.activeElement).toBe(field())
})

test('A1 announces once each: waiting, queued, failed, possibly sent; and no ticks', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(4))
  renderComposer({}, { service })
  const announcements = recordAnnouncements()
  await send('one')
  await messageThatSays('one', /Will send in/)
  await advanceTime(3_000)
  expect(announcements).toHaveLength(1)
  expect(announcements[0]).toMatch(/^“one”: Waiting for the request limit\. Will send in [456] seconds\.$/)
  await advanceTime(6_000)
  await messageThatSays('one', 'Queued')
  await advanceTime(200)
  service.failNext({ status: 400 })
  await send('two')
  await messageThatSays('two', /Not sent/)
  await advanceTime(200)
  service.failNext({ connection: 'lost-after' })
  await send('three')
  await messageThatSays('three', 'It may have gone through')
  await advanceTime(200)
  expect(announcements.slice(1).filter(Boolean)).toEqual([
    '“one”: Queued',
    '“two”: Not sent · something you entered can’t be used',
    '“three”: It may have gone through',
  ])
})
