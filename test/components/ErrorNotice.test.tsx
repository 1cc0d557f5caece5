import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createRef, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  BadRequestError,
  ErrorNotice,
  type ErrorNoticeProps,
  InputValidationError,
  NetworkError,
  type PetstoreError,
  PetstoreProvider,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnexpectedStatusError,
} from '../../src/index.ts'
import { en } from '../../src/labels/en.ts'
import { watchAnnouncements } from './announcements.ts'

const start = Date.UTC(2030, 0, 1, 12)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  document.body.replaceChildren()
})

function notice(props: ErrorNoticeProps, labels = en) {
  return (
    <StrictMode>
      <PetstoreProvider baseUrl="https://pets.test/v1" apiKey="demo" labels={labels}>
        <ErrorNotice {...props} />
      </PetstoreProvider>
    </StrictMode>
  )
}

function renderNotice(props: ErrorNoticeProps) {
  const newAnnouncements = watchAnnouncements()
  const view = render(notice(props))
  return {
    ...view,
    update: (next: ErrorNoticeProps, labels = en) => view.rerender(notice(next, labels)),
    /** The announcements since the last call. Lets 100 ms pass, after which the live region speaks. */
    newAnnouncements: () => {
      pass(100)
      return newAnnouncements()
    },
  }
}

function pass(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds))
}

const group = () => screen.getByRole('group', { name: /./, description: '' })
const retry = () => screen.getByRole('button', { name: 'Try again' })

const listing = { operation: 'listCategories', attempts: 1, method: 'GET', replay: 'safe' } as const
const creating = { operation: 'createCategory', attempts: 1 }
const writing = { operation: 'createCategory', method: 'POST', replay: 'only-if-refused' } as const
const body = { code: 'E42', message: 'Out of <b>biscuits</b>', status: 418 }
const plain = { status: 418, body: undefined }
const limitedFor = (seconds: number) => new RateLimitError(listing, Date.now() + seconds * 1_000)

const everyKind: readonly PetstoreError[] = [
  new BadRequestError(listing, plain),
  new AuthenticationError(listing, plain),
  new RateLimitError(listing, start),
  new ServerError(listing, plain),
  new UnexpectedStatusError(listing, plain),
  new ResponseValidationError(listing, []),
  new InputValidationError(listing, []),
  new NetworkError(listing, undefined),
  new TimeoutError(listing, 1),
]

test('M1 is a group named by its title or by the app, not an alert', () => {
  const error = new TimeoutError(listing, 1)
  const { update } = renderNotice({ error })
  expect(screen.getByRole('group', { name: 'This is taking too long' })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  update({ error, 'aria-label': 'Saving failed' })
  expect(screen.getByRole('group', { name: 'Saving failed' })).toBeDefined()
})

test.each(everyKind.map((error) => [error.kind, error] as const))('M2 %s has its own labels', (kind, error) => {
  renderNotice({ error })
  const { title, advice } = en.errorNotice.errors[kind]
  const sentence = kind === 'rate-limit' ? en.errorNotice.retryNow : advice
  expect(screen.getByRole('group', { name: title }).textContent).toContain(sentence)
})

test('M2 other errors, and kinds of a newer version of the package, have labels too', () => {
  const { update } = renderNotice({ error: new DOMException('aborted', 'AbortError') })
  expect(screen.getByRole('group', { name: 'Something went wrong' })).toBeDefined()
  const fromNewerCopy = new TimeoutError(listing, 1)
  Object.assign(fromNewerCopy, { kind: 'eclipse' })
  update({ error: fromNewerCopy })
  expect(screen.getByRole('group', { name: 'Something went wrong' })).toBeDefined()
})

test.each([
  ['may have been applied', new NetworkError(creating, undefined), true, false],
  ['was applied', new ResponseValidationError(creating, []), false, true],
  ['was not applied', new BadRequestError(creating, plain), false, false],
  ['changes nothing (lost)', new NetworkError(listing, undefined), false, false],
  ['changes nothing (unreadable)', new ResponseValidationError(listing, []), false, false],
  [
    'may have been applied, of an operation of the app',
    new ServerError({ ...creating, operation: 'feed' }, plain),
    true,
    false,
  ],
])('M3 says if a call may have been applied, or was: one that %s', (_, error, mayBeApplied, wasApplied) => {
  renderNotice({ error })
  const text = group().textContent
  const { mayHaveHappened, hasHappened } = en.errorNotice.situations
  expect(text?.includes(mayHaveHappened.title + mayHaveHappened.advice)).toBe(mayBeApplied)
  expect(text?.includes(hasHappened.title + hasHappened.advice)).toBe(wasApplied)
})

/** Each term with all that describes it. */
function details() {
  const terms = within(group()).getAllByRole('term')
  return terms.map(({ parentElement }) => Array.from(parentElement?.children ?? [], ({ textContent }) => textContent))
}

test('M4 the details are closed at first, and show what the service sent', () => {
  renderNotice({ error: new ServerError(listing, { status: 418, body }) })
  const disclosure = screen.getByText('Details').closest('details')
  expect(disclosure?.open).toBe(false)
  expect(details()).toEqual([
    ['Message from the service', 'Out of <b>biscuits</b>'],
    ['Code', 'E42'],
    ['Status', '418'],
    ['Operation', 'listCategories'],
  ])
})

test('M4 the details name the call and the response for support', () => {
  const headers = new Headers({ 'Content-Type': 'text/html', 'X-Served-By': 'any-host' })
  renderNotice({ error: new ServerError({ ...listing, callId: 'k3x9', headers }, { status: 500, body: undefined }) })
  expect(details().slice(-2)).toEqual([
    ['Call ID', 'k3x9'],
    ['Response headers', 'content-type: text/html', 'x-served-by: any-host'],
  ])
})

test.each([BadRequestError, UnexpectedStatusError])(
  'M4 M5 the message of the service replaces our advice: %o',
  (Kind) => {
    renderNotice({ error: new Kind(creating, { status: 418, body }) })
    expect(screen.getByText('Out of <b>biscuits</b>').getAttribute('dir')).toBe('auto')
    expect(details()).toEqual([
      ['Code', 'E42'],
      ['Status', '418'],
      ['Operation', 'createCategory'],
    ])
  },
)

test('R1 the retry of a call that may have been applied says "anyway"', () => {
  renderNotice({ error: new NetworkError(creating, undefined), onRetry: () => {} })
  expect(screen.getByRole('button').textContent).toBe('Try again anyway')
})

test('R1 retries if there is `onRetry`; the buttons of the app follow', () => {
  const onRetry = vi.fn<() => void>()
  const error = new NetworkError(listing, undefined)
  const { update } = renderNotice({ error, onRetry, actions: <button type="button">Discard</button> })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Try again', 'Discard'])
  fireEvent.click(retry())
  expect(onRetry).toHaveBeenCalledExactlyOnceWith()
  update({ error })
  expect(screen.queryByRole('button')).toBeNull()
})

test.each([
  ['a write that went through', new ResponseValidationError(creating, [])],
  ['a write with invalid input', new InputValidationError(creating, [])],
  ['a read with invalid input', new InputValidationError({ ...listing, attempts: 0 }, [])],
  ['a write that the service refused', new BadRequestError(creating, plain)],
  ['what the key may not do', new UnexpectedStatusError(listing, { ...plain, status: 403 })],
])('R1 %s has no retry button', (_, error) => {
  renderNotice({ error, onRetry: () => {} })
  expect(screen.queryByRole('button')).toBeNull()
})

test('M6 `data-severity` says whether there is a time to try again', () => {
  const { container, update } = renderNotice({ error: limitedFor(60) })
  const severity = () => container.firstElementChild?.getAttribute('data-severity')
  expect(severity()).toBe('warning')
  update({ error: limitedFor(60), isRetrying: true })
  expect(severity()).toBe('warning')
  update({ error: new Error('broken') })
  expect(severity()).toBe('error')
})

test('R2 after a 429 the button does nothing before `retryAt`, and says why', () => {
  const onRetry = vi.fn<() => void>()
  renderNotice({ error: limitedFor(60), onRetry })
  const button = screen.getByRole('button', { description: 'Request limit reached' })
  pass(59_999)
  fireEvent.click(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(onRetry).not.toHaveBeenCalled()
  pass(1)
  fireEvent.click(button)
  expect(button.getAttribute('aria-disabled')).toBe('false')
  expect(button.getAttribute('aria-describedby')).toBeNull()
  expect(onRetry).toHaveBeenCalledOnce()
})

test.each([
  [401, AuthenticationError, 'You can try again in 1 minute.'],
  [403, UnexpectedStatusError, 'Nothing is sent for 1 minute.'],
  [503, ServerError, 'You can try again in 1 minute.'],
])('R2 R3 the button waits after a %i with Retry-After too; the wait replaces the advice', (status, Kind, sentence) => {
  const onRetry = vi.fn<() => void>()
  renderNotice({ error: new Kind(listing, { status, body: undefined, retryAt: start + 60_000 }), onRetry })
  const button = screen.getByRole('button', { name: 'Try again' })
  expect(screen.getByText(sentence)).toBeDefined()
  expect(group().textContent).not.toMatch(/Try again in a moment|missing or invalid/)
  for (let clicks = 0; clicks < 6; clicks += 1) fireEvent.click(button)
  pass(59_999)
  fireEvent.click(button)
  expect(onRetry).not.toHaveBeenCalled()
  pass(1)
  fireEvent.click(button)
  expect(onRetry).toHaveBeenCalledOnce()
})

test('R2 a wait hides neither that it may have happened nor that the service said something', () => {
  const response = { status: 503, body, retryAt: start + 60_000 }
  const { update } = renderNotice({ error: new ServerError({ ...listing, ...writing }, response), onRetry: () => {} })
  expect(screen.getByText('Check before you try again. You can try again in 1 minute.')).toBeDefined()
  pass(60_000)
  expect(screen.getByText('Check before you try again. You can try again now.')).toBeDefined()
  update({ error: new UnexpectedStatusError(listing, { ...response, status: 404, retryAt: Date.now() + 60_000 }) })
  expect(screen.getByText('You can try again in 1 minute.').getAttribute('dir')).toBeNull()
  expect(screen.getByText('Message from the service').nextElementSibling?.textContent).toBe(body.message)
  update({ error: new RateLimitError(listing, Date.now() + 60_000, body) })
  expect(screen.getByText('Message from the service').nextElementSibling?.textContent).toBe(body.message)
})

test('R3 counts down beside the button: no tick in its name, its description or an announcement', () => {
  const { newAnnouncements } = renderNotice({ error: limitedFor(12), onRetry: () => {} })
  const wait = screen.getByText('You can try again in 12 seconds.')
  newAnnouncements()
  for (let left = 11; left > 0; left -= 1) {
    pass(left === 11 ? 900 : 1_000)
    expect(wait.textContent).toBe(
      left === 1 ? 'You can try again in 1 second.' : `You can try again in ${left} seconds.`,
    )
    expect(screen.getByRole('button', { name: 'Try again', description: 'Request limit reached' })).toBeDefined()
  }
  expect(wait.closest('[aria-live], [role="status"], [role="alert"], [role="timer"]')).toBeNull()
  expect(newAnnouncements()).toEqual([])
})

test('R4 A3 shows that the wait is over, and announces it once', () => {
  const error = limitedFor(2)
  const { newAnnouncements, update } = renderNotice({ error })
  newAnnouncements()
  pass(1_900)
  expect(screen.getByText('You can try again now.')).toBeDefined()
  expect(newAnnouncements()).toEqual(['You can try again now.'])
  update({ error, isRetrying: true })
  update({ error })
  pass(5_000)
  expect(newAnnouncements()).toEqual([])
})

test('R5 while it tries again, the button says so, does nothing and keeps the focus', () => {
  const onRetry = vi.fn<() => void>()
  const error = new NetworkError(listing, undefined)
  const { update } = renderNotice({ error, onRetry })
  const button = retry()
  button.focus()
  update({ error, onRetry, isRetrying: true })
  act(() => void vi.advanceTimersByTime(300))
  expect(screen.getByRole('button', { name: 'Trying again…' })).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect((button as HTMLButtonElement).disabled).toBe(false)
  expect(document.activeElement).toBe(button)
  fireEvent.click(button)
  expect(onRetry).not.toHaveBeenCalled()
})

test('A1 is spoken once when it appears', () => {
  const { newAnnouncements } = renderNotice({ error: new NetworkError(creating, undefined) })
  expect(newAnnouncements()).toEqual(['It may have gone through. Check before you try again.'])
})

test('R3 A1 a long wait has a time, and the notice and its announcement say the same sentence', () => {
  // The gate waits some seconds longer than the ten minutes of the service. They do not show.
  const { newAnnouncements } = renderNotice({ error: limitedFor(601), onRetry: () => {} })
  const shown = () => group().querySelector('.petstore-error-notice-advice')?.textContent?.replaceAll(/\s/g, ' ')
  const time = new Date(start + 600_000).toLocaleTimeString('en', { timeStyle: 'short' }).replaceAll(/\s/g, ' ')
  const sentence = `You can try again in 10 minutes, at ${time}.`
  expect(shown()).toBe(sentence)
  expect(newAnnouncements().map((text) => text.replaceAll(/\s/g, ' '))).toEqual([`Request limit reached. ${sentence}`])
  pass(481_000 - 100)
  expect(shown()).toBe(`You can try again in 2 minutes, at ${time}.`)
  pass(1_000)
  expect(shown()).toBe('You can try again in 2 minutes.')
})

test('A2 a retry that fails in the same way says so, for a minute', () => {
  const failure = () => new NetworkError(listing, undefined)
  const onRetry = () => {}
  const { newAnnouncements, update } = renderNotice({ error: failure(), onRetry })
  newAnnouncements()
  fireEvent.click(retry())
  update({ error: failure(), onRetry })
  expect(group().textContent).toContain('Can’t reach the serviceStill failing · just now.')
  expect(newAnnouncements()).toEqual(['Can’t reach the service. Still failing · just now.'])
  pass(60_000)
  expect(group().textContent).toContain('Check your internet connection, then try again.')
  expect(newAnnouncements()).toEqual([])
  fireEvent.click(retry())
  update({ error: new ServerError(listing, plain), onRetry })
  expect(group().textContent).not.toContain('Still failing')
})

test('A2 announces another kind of error, but not the same kind again or other labels', () => {
  const { newAnnouncements, update } = renderNotice({ error: new NetworkError(listing, undefined) })
  newAnnouncements()
  update({ error: new NetworkError(listing, undefined), id: 'other' })
  update({ error: new NetworkError(listing, undefined), isRetrying: true })
  const titles = { ...en.errorNotice.errors, network: { title: 'Getrennt', advice: 'Keine Verbindung.' } }
  update({ error: new NetworkError(listing, undefined) }, { ...en, errorNotice: { ...en.errorNotice, errors: titles } })
  expect(screen.getByRole('group', { name: 'Getrennt' })).toBeDefined()
  expect(newAnnouncements()).toEqual([])
  update({ error: new ServerError(listing, plain) })
  expect(newAnnouncements()).toEqual(['The service has a problem. Try again in a moment.'])
})

test('A2 announces nothing of an old failure when the browser is online again, or offline', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const goOnline = (isOnline: boolean) => {
    onLine.mockReturnValue(isOnline)
    act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
  }
  const { update, newAnnouncements } = renderNotice({ error: new NetworkError(listing, undefined) })
  expect(group().textContent).not.toContain('Changes are sent')
  expect(newAnnouncements()).toEqual(['You’re offline.'])
  update({ error: new NetworkError(listing, undefined) })
  goOnline(true)
  expect(group().textContent).toContain('Can’t reach the service')
  goOnline(false)
  goOnline(true)
  expect(newAnnouncements()).toEqual([])
  update({ error: new NetworkError(listing, undefined) })
  expect(newAnnouncements()).toEqual([expect.stringContaining('Can’t reach the service.')])
})

test('A3 does not announce a wait that ends because the error has changed', () => {
  const { newAnnouncements, update } = renderNotice({ error: limitedFor(60) })
  newAnnouncements()
  update({ error: new AuthenticationError(listing, plain) })
  expect(newAnnouncements()).toEqual(['API key rejected. The API key is missing or invalid.'])
  pass(60_000)
  expect(newAnnouncements()).toEqual([])
})

test('A3 does not announce a wait that was over before the notice appeared', () => {
  const { newAnnouncements } = renderNotice({ error: limitedFor(-1) })
  expect(newAnnouncements()).toEqual(['Request limit reached. You can try again now.'])
  expect(newAnnouncements()).toEqual([])
})

test('S1 server HTML contains no time, hydrates without a mismatch, and then shows the seconds', async () => {
  const logged = vi.spyOn(console, 'error')
  const ui = notice({ error: limitedFor(60), onRetry: () => {} })
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(ui)
  expect(container.textContent).not.toMatch(/second|style=/)
  expect(container.querySelector('[aria-disabled="true"]')?.textContent).toBe('Try again')
  pass(5_000)
  const root = await act(async () => hydrateRoot(container, ui))
  expect(container.textContent).toContain('You can try again in 55 seconds.')
  expect(logged).not.toHaveBeenCalled()
  act(() => root.unmount())
})

test('C1 takes native props, the ref, class names and labels', () => {
  const ref = createRef<HTMLDivElement>()
  const slots = { title: 'my-title', retry: 'my-retry', advice: 'my-advice', icon: 'my-icon', details: 'my-details' }
  renderNotice({
    ref,
    error: limitedFor(5),
    onRetry: () => {},
    id: 'mine',
    className: 'my-notice',
    classNames: slots,
    labels: { retry: 'Nochmal', retryIn: (wait) => `In ${wait}` },
  } as ErrorNoticeProps)
  expect(ref.current).toBe(group())
  expect(group().id).toBe('mine')
  expect([...group().classList]).toEqual(['petstore-root', 'petstore-error-notice', 'my-notice'])
  for (const name of Object.values(slots)) expect(group().querySelector(`.${name}`)).not.toBeNull()
  expect(screen.getByRole('button', { name: 'Nochmal' })).toBeDefined()
  expect(screen.getByText('In 5 seconds')).toBeDefined()
})

test('A3 if a call may have been applied, the end of its wait announces the advice to check, too', () => {
  const unknown = { status: 503, body: undefined, retryAt: Date.now() + 5_000 }
  const { newAnnouncements } = renderNotice({ error: new ServerError({ ...creating, ...writing }, unknown) })
  newAnnouncements()
  pass(6_000)
  const { advice } = en.errorNotice.situations.mayHaveHappened
  expect(newAnnouncements()).toEqual([`${advice} ${en.errorNotice.retryNow}`])
})

test('R1 an error after which the input has to change says no time to try again', () => {
  const refused = { status: 400, body: undefined, retryAt: Date.now() + 5_000 }
  const { container, newAnnouncements } = renderNotice({
    error: new BadRequestError(listing, refused),
    onRetry: () => {},
  })
  newAnnouncements()
  pass(6_000)
  expect(container.textContent).toContain(en.errorNotice.errors['bad-request'].advice)
  expect(newAnnouncements()).toEqual([])
})
