import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce, prepareRegion } from '../../src/components/announce.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  document.body.replaceChildren()
})

const regions = (root: ParentNode = document) => [...root.querySelectorAll('[role="status"]')]
const texts = (root: ParentNode = document) => regions(root).map(({ textContent }) => textContent)

function add<Name extends keyof HTMLElementTagNameMap>(name: Name, parent: Node = document.body) {
  return parent.appendChild(document.createElement(name))
}

test('all speak through one region, which is there before its first message', () => {
  prepareRegion(add('p'))
  expect(texts()).toEqual([''])
  announce('Saved.', add('p'))
  announce('Loaded.', null)
  expect(texts()).toEqual([''])
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['Saved. Loaded.'])
})

test('a region that had to be made is empty when it appears', () => {
  announce('Saved.', null)
  expect(texts()).toEqual([''])
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['Saved.'])
})

test('each message disappears ten seconds after it was spoken', () => {
  announce('First.', null)
  vi.advanceTimersByTime(9_000)
  announce('Second.', null)
  vi.advanceTimersByTime(9_000)
  expect(texts()).toEqual(['Second.'])
  vi.advanceTimersByTime(1_100)
  expect(texts()).toEqual([''])
  expect(vi.getTimerCount()).toBe(0)
})

test('the same message within a second is spoken once, whoever says it', () => {
  const spoken: string[] = []
  for (const [wait, message] of [
    [0, 'Failed.'],
    [50, 'Failed.'],
    [400, 'Failed.'],
    [400, 'Saved.'],
    [200, 'Failed.'],
  ] as const) {
    vi.advanceTimersByTime(wait)
    announce(message, add('p'))
    vi.advanceTimersByTime(100)
    spoken.push(texts().join())
  }
  expect(spoken).toEqual(['Failed.', 'Failed.', 'Failed.', 'Saved.', 'Failed.'])
})

test('the same message later is another text, or it would not be spoken', () => {
  const spoken: string[] = []
  for (let times = 0; times < 3; times += 1) {
    vi.advanceTimersByTime(1_000)
    announce('Saved.', null)
    vi.advanceTimersByTime(100)
    spoken.push(texts().join())
  }
  expect(spoken.map((text) => text.trim())).toEqual(['Saved.', 'Saved.', 'Saved.'])
  expect(spoken[1]).not.toBe(spoken[0])
  expect(spoken[2]).not.toBe(spoken[1])
})

test('an empty message speaks nothing and removes nothing', () => {
  announce('Saved.', null)
  vi.advanceTimersByTime(100)
  announce('', null)
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['Saved.'])
})

const openDialogs: [name: string, open: (dialog: HTMLElement) => void][] = [
  ['an open <dialog>', (dialog) => dialog.setAttribute('open', '')],
  ['an element with aria-modal', (dialog) => dialog.setAttribute('aria-modal', 'true')],
  ['an element with the role of a dialog', (dialog) => dialog.setAttribute('role', 'alertdialog')],
]

test.each(openDialogs)('inside a dialog (%s), the region is in there', (name, open) => {
  const dialog = name.includes('<dialog>') ? add('dialog') : add('div')
  open(dialog)
  announce('Outside.', add('p'))
  announce('Inside.', add('p', dialog))
  vi.advanceTimersByTime(100)
  expect(texts(dialog)).toEqual(['Inside.'])
  expect(texts()).toEqual(['Inside.', 'Outside.'])
})

test('a component in a closed <dialog> speaks through the page', () => {
  announce('Closed.', add('p', add('dialog')))
  vi.advanceTimersByTime(100)
  expect(regions().map(({ parentElement }) => parentElement)).toEqual([document.body])
})

test.each([
  ['closed', (dialog: HTMLElement) => dialog.removeAttribute('open')],
  ['taken away', (dialog: HTMLElement) => dialog.remove()],
])('what was to be spoken in a dialog that is %s is spoken by the page', (_, end) => {
  const dialog = add('dialog')
  dialog.setAttribute('open', '')
  announce('Created.', add('p', dialog))
  end(dialog)
  vi.advanceTimersByTime(200)
  expect(regions(document.body).filter(({ textContent }) => textContent === 'Created.')).toHaveLength(1)
  expect(regions().at(-1)?.parentElement).toBe(document.body)
})

test('speaks even after its component unmounts', () => {
  const near = add('p')
  announce('Deleted.', near)
  near.remove()
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['Deleted.'])
})

test('says nothing where its document has no body any more, as in a frame that was removed', () => {
  const frame = add('iframe')
  const page = frame.contentDocument
  const near = page?.body.appendChild(page.createElement('p')) ?? null
  announce('Saved.', near)
  page?.documentElement.remove()
  expect(() => vi.advanceTimersByTime(100)).not.toThrow()
})

test('replaces a region that the app has removed, and loses no message', () => {
  announce('First.', null)
  document.body.replaceChildren()
  vi.advanceTimersByTime(200)
  expect(texts()).toEqual(['First.'])
})
