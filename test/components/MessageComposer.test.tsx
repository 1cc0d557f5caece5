import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createRef, type FormEvent } from 'react'
import { createPortal } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { recordAnnouncements } from './announcements.ts'
import {
  field,
  messages,
  messageThatSays,
  posts,
  renderComposer,
  send,
  sendButton,
  write,
} from './MessageComposer.setup.tsx'
import { advanceTime, cleanPage, describedBy, user, heldService } from './page.setup.ts'

cleanPage()

test('M1 is a named section with a described field and a button; the list is there only with a message in it', async () => {
  renderComposer()
  const section = screen.getByRole('region', { name: 'Send a message' })
  expect(within(section).getByRole('textbox', { name: 'Message' })).toBe(field())
  expect(describedBy(field())).toEqual(['Press Ctrl+Enter to send.'])
  expect(field().getAttribute('aria-invalid')).toBe('false')
  expect(field().dir).toBe('auto')
  expect(sendButton().getAttribute('type')).toBe('submit')
  expect(screen.queryByRole('list')).toBeNull()
  await send('Hello')
  expect(await screen.findByRole('list', { name: 'Messages' })).toBeDefined()
})

test('M2 takes native props, the ref and class names', async () => {
  const ref = createRef<HTMLElement>()
  const slots = {
    form: 'my-form',
    label: 'my-label',
    fieldError: 'my-error',
    input: 'my-input',
    hint: 'my-hint',
    count: 'my-count',
    send: 'my-send',
    outbox: 'my-outbox',
    message: 'my-message',
    text: 'my-text',
    status: 'my-status',
    advice: 'my-advice',
    buttons: 'my-buttons',
  }
  const service = createPetstoreService()
  service.failNext({ status: 400 })
  renderComposer(
    { ref, id: 'chat', className: 'mine', 'aria-label': 'Chat', maxLength: 9, classNames: slots },
    { service },
  )
  const section = screen.getByRole('region', { name: 'Chat' })
  expect(ref.current).toBe(section)
  expect(section.id).toBe('chat')
  expect([...section.classList]).toEqual(['petstore-root', 'petstore-message-composer', 'mine'])
  await send('Hello')
  await messageThatSays('Hello', /Not sent/)
  await send('Too long for it')
  for (const name of Object.values(slots)) {
    const [element, ...others] = section.querySelectorAll(`.${name}`)
    expect(others).toEqual([])
    expect(element?.className).toMatch(/petstore-/)
  }
})

test('M4 shows more controls before the button, and texts as the app renders them', async () => {
  renderComposer({
    actions: <button type="button">Attach</button>,
    renderText: (text) => <em>{text.toUpperCase()}</em>,
  })
  const attach = screen.getByRole('button', { name: 'Attach' })
  expect(attach.compareDocumentPosition(sendButton())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await send('Hello')
  expect((await screen.findByText('HELLO')).tagName).toBe('EM')
})

test('W1 Enter makes a new line; Ctrl+Enter and Cmd+Enter send', async () => {
  const { service } = renderComposer()
  await user.click(field())
  await user.keyboard('one{Enter}two')
  expect(field().value).toBe('one\ntwo')
  expect(messages()).toEqual([])
  await user.keyboard('{Control>}{Enter}{/Control}')
  await messageThatSays('one', 'Queued')
  await user.keyboard('three{Meta>}{Enter}{/Meta}')
  await messageThatSays('three', 'Queued')
  expect(service.messages().map(({ message }) => message)).toEqual(['one\ntwo', 'three'])
})

test('W1 nothing is sent while an input method composes', async () => {
  const { service } = renderComposer()
  await write('にほん')
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true, isComposing: true })
  expect(messages()).toEqual([])
  expect(field().value).toBe('にほん')
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true })
  await messageThatSays('にほん', 'Queued')
  expect(posts(service)).toBe(1)
})

test.each(['', ' ', '\n \t\n'])('W2 %j is rejected: the field is invalid, described and focused', async (text) => {
  const { service } = renderComposer()
  if (text) fireEvent.change(field(), { target: { value: text } })
  await user.click(sendButton())
  expect(document.activeElement).toBe(field())
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(describedBy(field())[0]).toBe('Enter a message.')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(field().value).toBe(text)

  await user.keyboard('a')
  expect(field().getAttribute('aria-invalid')).toBe('false')
  expect(screen.queryByText('Enter a message.')).toBeNull()
  fireEvent.change(field(), { target: { value: '' } })
  await user.tab()
  expect(screen.queryByText('Enter a message.')).toBeNull()
  expect(service.requests).toEqual([])
})

test('W2 A1 Ctrl+Enter in a field that has the focus announces why nothing is sent', async () => {
  const announcements = recordAnnouncements()
  const { service } = renderComposer({ maxLength: 5 })
  await user.click(field())
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(announcements.join(' ')).toContain('Enter a message.'))
  fireEvent.change(field(), { target: { value: 'Too long' } })
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(announcements.at(-1)).toBe('Shorten to 5 characters or fewer.'))
  expect(service.requests).toEqual([])
})

test('W4 the limit describes the field, and the visible count is spoken after a second without typing', async () => {
  vi.useFakeTimers()
  const announcements = recordAnnouncements()
  renderComposer({ maxLength: 10 })
  expect(describedBy(field())).toContain('Up to 10 characters.')
  const seen = screen.getByText('10 characters left')
  expect(seen.getAttribute('aria-hidden')).toBe('true')
  await advanceTime(2_000)
  expect(announcements).toEqual([]) // no one has typed

  fireEvent.change(field(), { target: { value: 'Hello' } })
  expect(seen.textContent).toBe('5 characters left')
  await advanceTime(999)
  fireEvent.change(field(), { target: { value: 'Hello!' } })
  await advanceTime(1_000)
  expect(announcements).toEqual([])
  await advanceTime(100) // a live region speaks 100 ms after `announce`
  expect(announcements).toEqual(['4 characters left'])

  fireEvent.click(sendButton())
  await advanceTime(1_000)
  expect(seen.textContent).toBe('10 characters left')
  expect(announcements).not.toContain('10 characters left')
})

test('W4 a longer text can be typed and is not cut, but not sent', async () => {
  const { service } = renderComposer({ maxLength: 5 })
  await send('Hello🐇 you') // the rabbit has two UTF-16 units, as `maxlength` counts
  expect(field().value).toBe('Hello🐇 you')
  expect(field().hasAttribute('maxlength')).toBe(false)
  expect(screen.getByText('6 characters over the limit')).toBeDefined()
  expect(document.activeElement).toBe(field())
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(describedBy(field())[0]).toBe('Shorten to 5 characters or fewer.')
  expect(service.requests).toEqual([])

  fireEvent.change(field(), { target: { value: 'Hello' } })
  expect(field().getAttribute('aria-invalid')).toBe('false')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await messageThatSays('Hello', 'Queued')
})

test('S1 sends the text as it was typed, in one request', async () => {
  const { service } = renderComposer()
  const text = '  two\n\nlines, <b>“quoted”</b> 🐇 \u0000 '
  await send(text)
  await messageThatSays('two', 'Queued')
  expect(service.messages().map(({ message }) => message)).toEqual([text])
  expect(posts(service)).toBe(1)
})

test.each([
  ['a double click', () => user.dblClick(sendButton())],
  ['Ctrl+Enter twice', () => user.keyboard('{Control>}{Enter}{Enter}{/Control}')],
  ['Ctrl+Enter held down', () => user.keyboard('{Control>}{Enter>5/}{/Control}')],
])('S1 %s sends one message and complains of nothing', async (_, press) => {
  const { service } = renderComposer()
  await write('Hello')
  await press()
  await messageThatSays('Hello', 'Queued')
  expect(posts(service)).toBe(1)
  expect(field().value).toBe('')
  expect(field().getAttribute('aria-invalid')).toBe('false')
})

test('S1 submitting a form in a portal inside `actions` sends nothing here', async () => {
  const onSubmit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault())
  const dialog = createPortal(
    <form onSubmit={onSubmit}>
      <button type="submit">Attach</button>
    </form>,
    document.body,
  )
  const { service } = renderComposer({ actions: dialog })
  await write('Hello')
  await user.click(screen.getByText('Attach'))
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(field().value).toBe('Hello')
  expect(messages()).toEqual([])
  expect(service.requests).toEqual([])
})

test('S6 calls the latest onSent once for each accepted message, even after the composer unmounts', async () => {
  const { service, release } = heldService()
  const first = vi.fn<() => void>()
  const onSent = vi.fn<() => void>()
  const { update } = renderComposer({ onSent: first }, { service })
  await send('Hello')
  update({ onSent })
  update(null)
  await release()
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
  expect(onSent).toHaveBeenCalledWith(service.messages()[0])
  expect(first).not.toHaveBeenCalled()
})

test('S7 without a quickstart address the message stays with the general error, which is reported to the app', async () => {
  const report = vi.fn<typeof reportError>()
  vi.stubGlobal('reportError', report)
  const { service } = renderComposer({}, { quickstartBaseUrl: undefined })
  await send('Hello')
  const message = await messageThatSays('Hello', 'Not sent · something went wrong')
  expect(message.textContent).toContain('The request didn’t finish. Try again.')
  expect(service.requests).toEqual([])
  expect(String(report.mock.calls)).toContain('sendMessage goes to the quickstart address: set quickstartBaseUrl.')
  vi.unstubAllGlobals()
})
