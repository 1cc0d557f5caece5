import { screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server.browser'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, server, userEvent } from 'vitest/browser'
import '../../src/components/shared.css'
import '../../src/components/tokens.css'
import css from '../../src/components/MessageComposer/MessageComposer.css?raw'
import { MessageComposer, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import {
  button,
  field,
  messages,
  messageThatSays,
  posts,
  providerOptions,
  renderComposer,
} from './MessageComposer.setup.tsx'
import { cutElements } from './cutElements.ts'
import { cleanPage, refusedFor } from './page.setup.ts'

cleanPage()

/** Adds the styles of the composer for this test. */
function style(text = css): void {
  const element = document.createElement('style')
  element.textContent = text
  document.head.append(element)
  onTestFinished(() => element.remove())
}

const tree = () => page.getByRole('region')
const send = (text: string) => userEvent.type(field(), `${text}{Control>}{Enter}{/Control}`)

test('M1 W4 the accessibility tree: at first, and with a limit', async () => {
  renderComposer({ maxLength: 140 })
  await expect.element(tree()).toMatchAriaInlineSnapshot(`
    - region "Send a message":
      - text: Message Up to 140 characters.
      - textbox "Message"
      - text: Press Ctrl+Enter to send.
      - button "Send"
  `)
})

test('M1 L2 S5 the accessibility tree: messages in all their states', async () => {
  const service = createPetstoreService()
  renderComposer({}, { service })
  await send('accepted')
  await messageThatSays('accepted', 'Queued')
  service.failNext({ status: 401, body: '{"code":"unauthorized","message":"Wrong key.","status":401}' })
  await send('failed')
  await messageThatSays('failed', /Not sent/)
  service.failNext({ connection: 'lost-after' })
  await send('lost')
  await messageThatSays('lost', 'It may have gone through')
  service.failNext(refusedFor(9))
  await send('waiting')
  await messageThatSays('waiting', /Will send in/)
  await expect.element(tree()).toMatchAriaInlineSnapshot(`
    - region "Send a message":
      - text: Message
      - textbox "Message"
      - text: Press Ctrl+Enter to send.
      - button "Send"
      - list "Messages":
        - listitem:
          - text: waiting
          - paragraph: /Waiting for the request limit\\. Will send in \\d+ seconds\\./
          - time: /\\d/
          - button "Cancel"
        - listitem:
          - text: lost
          - paragraph: It may have gone through
          - time: /\\d/
          - paragraph: Check before you try again.
          - button "Send again anyway"
          - button "Discard"
        - listitem:
          - text: failed
          - paragraph: "Not sent · API key rejected"
          - time: /\\d/
          - paragraph: The API key is missing or invalid.
          - paragraph: /Message from the service.*Wrong key\\./
          - button "Try again"
          - button "Edit"
          - button "Discard"
        - listitem:
          - text: accepted
          - paragraph: Queued
          - time: /\\d/
  `)
})

test('F1 F2 F3 with the keyboard alone: write, send, try again, edit, discard', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 401 }, 3)
  renderComposer({}, { service })
  const focused = () => document.activeElement
  await userEvent.keyboard('{Tab}')
  expect(focused()).toBe(field())
  await userEvent.keyboard('one{Enter}line{Tab}')
  expect(focused()).toBe(button('Send'))
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe(field())
  expect(field().value).toBe('')
  const message = await messageThatSays('one', /Not sent/)

  await userEvent.keyboard('{Tab}{Tab}')
  expect(focused()).toBe(button('Try again'))
  await userEvent.keyboard(' ')
  await waitFor(() => expect(posts(service)).toBe(2))
  await messageThatSays('one', /Not sent/)
  expect(focused()).toBe(message)

  await userEvent.keyboard('{Tab}{Tab}')
  expect(focused()).toBe(button('Edit'))
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe(field())
  await userEvent.keyboard('!{Control>}{Enter}{/Control}')
  await messageThatSays('one\nline!', /Not sent/)
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}')
  expect(focused()).toBe(button('Discard'))
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe(field())
  expect(messages()).toEqual([])
  await userEvent.keyboard('two{Meta>}{Enter}{/Meta}')
  await messageThatSays('two', 'Queued')
  expect(service.messages().map(({ message: sent }) => sent)).toEqual(['two'])
})

// In Firefox, WebDriver BiDi does not count clicks: the second click of a double click has a `detail` of 1, too.
test.skipIf(server.browser === 'firefox')(
  'L7 a double click on “Cancel” only cancels, and one on “Discard” discards only one message',
  async () => {
    style()
    const service = createPetstoreService()
    service.failNext(refusedFor(9))
    renderComposer({}, { service })
    await send('waiting')
    await messageThatSays('waiting', /Will send in/)
    await userEvent.dblClick(button('Cancel'))
    await messageThatSays('waiting', 'Canceled')
    await send('next')
    await messageThatSays('next', /Will send in/)
    await userEvent.click(button('Cancel'))
    const next = await messageThatSays('next', 'Canceled')
    const discard = [...next.querySelectorAll('button')].at(-1)
    expect(discard?.textContent).toBe('Discard')
    if (discard) await userEvent.dblClick(discard)
    expect(messages().map(({ dataset }) => dataset['status'])).toEqual(['cancelled'])
  },
)

test('L10 a long message is cut after six lines', async () => {
  style()
  renderComposer()
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n')
  await userEvent.fill(field(), text)
  await userEvent.click(button('Send'))
  const message = await messageThatSays('line 3', 'Queued')
  const height = () => message.firstElementChild?.clientHeight ?? 0
  const short = height()
  await userEvent.click(button('Show all'))
  expect(height() / short).toBeCloseTo(5, 1)
})

test('W5 Enter held down on “Send” makes no lines in the field; held down there, it does', async () => {
  const { service } = renderComposer()
  await userEvent.type(field(), 'Hello')
  button('Send').focus()
  await userEvent.keyboard('{Enter>10/}')
  await messageThatSays('Hello', 'Queued')
  expect(field().value).toBe('')
  expect(field().getAttribute('aria-invalid')).toBe('false')
  expect(posts(service)).toBe(1)
  await userEvent.keyboard('a{Enter>3/}b')
  // The driver of WebKitGTK presses a key that is held down only once.
  expect(field().value).toMatch(/^a\n+b$/)
})

const withoutFieldSizing = css.replace(/@supports \(field-sizing: content\) \{[\s\S]*?\n\}/, '')

test.each([
  ...(CSS.supports('field-sizing', 'content') ? [['with field-sizing', css] as const] : []),
  ['without', withoutFieldSizing] as const,
])('W3 the field grows with its text up to a height, and scrolls from there: %s', async (_, text) => {
  expect(withoutFieldSizing).not.toContain('field-sizing')
  style(text)
  const supports = vi.spyOn(CSS, 'supports').mockReturnValue(text === css)
  onTestFinished(() => supports.mockRestore())
  const { container } = renderComposer()
  const height = () => field().getBoundingClientRect().height
  const empty = height()
  await userEvent.fill(field(), 'line\n'.repeat(7))
  const some = height()
  expect(some).toBeGreaterThan(empty * 1.5)
  expect(field().scrollHeight).toBeLessThanOrEqual(field().clientHeight + 1)
  await userEvent.fill(field(), 'line\n'.repeat(100))
  expect(height()).toBeGreaterThan(some)
  expect(height()).toBeLessThan(some * 3)
  expect(field().scrollHeight).toBeGreaterThan(field().clientHeight)
  await userEvent.fill(field(), '')
  expect(height()).toBe(empty)
  expect(field().getAttribute('style')).toBeNull()
  await userEvent.fill(field(), 'private')
  // Without `field-sizing`, a copy of the text in an attribute makes the field grow.
  expect(container.innerHTML.includes('private"')).toBe(text !== css)
})

test('T7 text typed before hydration stays, and submitting before hydration loads no page', async () => {
  const ui = (
    <StrictMode>
      <PetstoreProvider {...providerOptions(createPetstoreService())}>
        <MessageComposer draftKey="early" />
      </PetstoreProvider>
    </StrictMode>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(ui)
  document.body.append(container)
  const address = location.href
  await userEvent.type(field(), 'typed early')
  await userEvent.click(button('Send'))
  expect(location.href).toBe(address)
  const root = hydrateRoot(container, ui)
  onTestFinished(() => root.unmount())
  await waitFor(() => expect(sessionStorage.getItem('petstore::early')).toContain('typed early'))
  expect(field().value).toBe('typed early')
  await userEvent.click(button('Send'))
  await messageThatSays('typed early', 'Queued')
})

const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2)

test.each([
  ['ltr', '1rem'],
  ['rtl', '1rem'],
  ['ltr', '2rem'],
])('C1 in 240 px, %s, text of %s: nothing runs out of its box', async (direction, fontSize) => {
  style()
  const box = { inlineSize: 240, fontSize }
  const service = createPetstoreService()
  renderComposer({ maxLength: 200, style: box, dir: direction }, { service })
  service.failNext({ status: 400, body: JSON.stringify({ code: 'c', message: longWord, status: 400 }) })
  await userEvent.fill(field(), longWord)
  await userEvent.click(button('Send'))
  await messageThatSays(longWord, /Not sent/)
  service.failNext({ connection: 'lost-after' })
  await send('lost')
  await messageThatSays('lost', 'It may have gone through')
  service.failNext(refusedFor(90))
  await send('held')
  await messageThatSays('held', /[Rr]equest limit reached/)
  await screen.findByText(/You can try again in/)
  await userEvent.fill(field(), longWord.repeat(3))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  const section = screen.getByRole('region')
  expect(section.getBoundingClientRect().width).toBe(240)
  expect(cutElements(section)).toEqual([])
})
