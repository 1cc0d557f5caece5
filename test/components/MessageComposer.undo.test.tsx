import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
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
import { advanceTime, cleanPage, fakeTime, user } from './page.setup.ts'

cleanPage()

/** Renders a composer with two messages that were not sent: "two" and below it "one". */
async function renderTwo(draftKey = newKey()) {
  fakeTime()
  const service = createPetstoreService()
  service.failNext({ status: 404 }, 2)
  const view = renderComposer({ draftKey }, { service })
  await send('one')
  await messageThatSays('one', /Not sent/)
  await send('two')
  const two = await messageThatSays('two', /Not sent/)
  const one = await messageThatSays('one', /Not sent/)
  const discard = (item: HTMLElement) => user.click(within(item).getByText('Discard'))
  return { ...view, service, draftKey, one, two, discard }
}

const stored = (key: string) => sessionStorage.getItem(`petstore::${key}`)

test('L9 “Discard” leaves a line with “Undo” in the place of the message, and the focus on it', async () => {
  const { two, discard } = await renderTwo()
  await discard(two)
  expect(two.textContent).toBe('Message discarded.Undo')
  expect(buttonsIn(two)).toEqual(['Undo'])
  expect(document.activeElement).toBe(two)
})

test('L9 “Undo” brings the message back as it was', async () => {
  const { service, two, discard } = await renderTwo()
  const before = two.textContent
  await discard(two)
  await user.click(button('Undo'))
  expect(two.textContent).toBe(before)
  expect(document.activeElement).toBe(two)
  await advanceTime(20_000)
  expect(messages()).toHaveLength(2)
  expect(posts(service)).toBe(2)
  await user.click(within(two).getByText('Try again'))
  await messageThatSays('two', 'Queued')
})

test.each(['{Control>}z{/Control}', '{Meta>}z{/Meta}'])('L9 %s restores the message discarded last', async (keys) => {
  const { one, two, discard } = await renderTwo()
  await discard(two)
  await advanceTime(10)
  await discard(one)
  await user.keyboard(keys)
  expect(one.textContent).toContain('one')
  expect(two.textContent).toContain('discarded')
  await user.keyboard(keys)
  expect(two.textContent).toContain('two')
  await user.keyboard(keys)
  expect(messages()).toHaveLength(2)
})

test('L9 the browser does not undo something else as well, unless there is nothing to restore', async () => {
  const { two, discard } = await renderTwo()
  const press = () => fireEvent.keyDown(two, { key: 'z', ctrlKey: true })
  expect(press()).toBe(true)
  await discard(two)
  expect(press()).toBe(false)
})

test('L9 in the field these keys belong to the text', async () => {
  const { two, discard } = await renderTwo()
  await discard(two)
  await write('three')
  await user.keyboard('{Control>}z{/Control}')
  expect(two.textContent).toContain('discarded')
})

test('L9 T2 a discarded text leaves the storage at once, and “Undo” stores it again', async () => {
  const { draftKey, one, two, discard } = await renderTwo()
  await discard(two)
  expect(stored(draftKey)).toContain('one')
  expect(stored(draftKey)).not.toContain('two')
  await discard(one)
  expect(stored(draftKey)).toBeNull()
  await user.click(within(two).getByText('Undo'))
  expect(stored(draftKey)).toContain('two')
})

test('L9 a discarded message does not come back with its composer', async () => {
  const { two, discard, update, draftKey } = await renderTwo()
  await discard(two)
  update(null)
  update({ draftKey })
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(screen.queryByText('Undo')).toBeNull()
})

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

test.each([
  ['nine lines', lines(9)],
  ['1,001 characters', 'x'.repeat(1_001)],
])('L10 a message of %s shows its first lines, and all of it on request', async (_, text) => {
  renderComposer()
  await send(text)
  const message = await messageThatSays(text.slice(0, 6), 'Queued')
  const body = message.firstElementChild as HTMLElement
  expect(body.dataset['clamped']).toBe('true')
  expect(body.textContent).toBe(text)
  const more = within(message).getByText('Show all')
  expect(more.getAttribute('aria-expanded')).toBe('false')
  expect(more.getAttribute('aria-controls')).toBe(body.id)
  await user.click(more)
  expect(body.dataset['clamped']).toBeUndefined()
  expect(more.textContent).toBe('Show less')
  expect(more.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(more)
  await user.click(more)
  expect(body.dataset['clamped']).toBe('true')
})

test('L10 a shorter message, and what the app renders, is shown as it is', async () => {
  renderComposer({ renderText: (text) => <em>{text}</em> })
  await send(lines(20))
  const message = await messageThatSays('line 3', 'Queued')
  expect(buttonsIn(message)).toEqual([])
  expect(field().value).toBe('')
})
