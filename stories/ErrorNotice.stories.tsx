import { type ReactElement, useState } from 'react'
import { expect, fn, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import {
  AuthenticationError,
  BadRequestError,
  ErrorNotice,
  type ErrorNoticeProps,
  InputValidationError,
  NetworkError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnexpectedStatusError,
} from '../src/index.ts'

const reading = { operation: 'listCategories', attempts: 1 }
const writing = { operation: 'createCategory', attempts: 1 }

const meta = preview.meta({
  title: 'Components/ErrorNotice',
  id: 'errornotice',
  component: ErrorNotice,
  args: { error: new NetworkError(reading, undefined), onRetry: fn() },
  argTypes: { error: { control: false } },
})

function response(status: number, code: string, message: string) {
  return { status, body: { status, code, message } }
}

/** Its options are in the controls. */
export const Playground = meta.story({
  args: { isRetrying: false },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible()
  },
})

export const NoConnection = meta.story({
  play: async ({ args, canvas, userEvent }) => {
    const notice = canvas.getByRole('group', { name: 'No connection' })
    await expect(notice).toHaveTextContent('Check your connection')
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
  },
})

/** Spoken by the one live region of the page, once. */
export const Spoken = meta.story({
  play: async () => {
    await waitFor(() => expect(document.querySelector('[role="status"]')).toHaveTextContent(/^No connection. The/))
  },
})

export const TookTooLong = meta.story({
  args: { error: new TimeoutError(reading, 30_000) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'This is taking too long' })).toBeVisible()
  },
})

export const ServiceFailed = meta.story({
  args: { error: new ServerError(reading, response(503, 'maintenance', 'We are feeding the rabbits. Back at noon.')) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'The service has a problem' })).toBeVisible()
  },
})

export const NotSignedIn = meta.story({
  args: { error: new AuthenticationError(reading, response(401, 'invalid_key', 'The API key is not known.')) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Not signed in' })).toBeVisible()
  },
})

export const Refused = meta.story({
  args: { error: new BadRequestError(writing, response(400, 'name_taken', 'There is a category of this name.')) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'That did not work' })).toBeVisible()
  },
})

export const InputNotValid = meta.story({
  args: { error: new InputValidationError(writing, [{ message: 'expected a string', path: ['name'] }]) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Please check your input' })).toBeVisible()
  },
})

export const UnexpectedResponse = meta.story({
  args: { error: new UnexpectedStatusError(reading, response(418, 'teapot', 'I am a teapot.')) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Unexpected response' })).toBeVisible()
  },
})

export const UnreadableResponse = meta.story({
  args: { error: new ResponseValidationError(reading, [{ message: 'expected an array' }]) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Unreadable response' })).toBeVisible()
  },
})

/** What is no `PetstoreError`, such as the `AbortError` of a cancelled call, has words of its own and no details. */
export const AnotherError = meta.story({
  args: { error: new DOMException('aborted', 'AbortError') },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'Something went wrong' })).toBeVisible()
    await expect(canvas.queryByText('Details')).not.toBeInTheDocument()
  },
})

/** Limited from the moment at which the story begins. */
function LimitedFor({ seconds, ...props }: ErrorNoticeProps & { seconds: number }): ReactElement {
  const [error] = useState(() => new RateLimitError(reading, Date.now() + seconds * 1_000))
  return <ErrorNotice {...props} error={error} />
}

/** Counts down where it can be seen, but neither in the button's name nor in a live region: it is not spoken. */
export const RateLimited = meta.story({
  render: (args) => <LimitedFor {...args} seconds={42} />,
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole('button', { name: 'Try again' })
    await expect(canvas.getByText(/^Try again in 4\d seconds\.$/)).toBeVisible()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(button)
    await expect(args.onRetry).not.toHaveBeenCalled()
  },
})

export const RateLimitedForHours = meta.story({
  render: (args) => <LimitedFor {...args} seconds={6 * 3_600} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Try again in 6 hours.')).toBeVisible()
  },
})

/** The wait is over: the button works, and that is spoken once. */
export const RateLimitOver = meta.story({
  render: (args) => <LimitedFor {...args} seconds={0} />,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText('You can try again now.')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
  },
})

export const Retrying = meta.story({
  args: { isRetrying: true },
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole('button', { name: 'Trying again…' })
    await userEvent.click(button)
    await expect(button).toHaveFocus()
    await expect(args.onRetry).not.toHaveBeenCalled()
  },
})

/** The response was lost, so something may have been changed. */
export const MayHaveBeenDone = meta.story({
  args: { error: new NetworkError(writing, undefined) },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^It may have been done all the same/)).toBeVisible()
  },
})

/** Done, but the response cannot be read. */
export const WasDone = meta.story({
  args: { error: new ResponseValidationError(writing, []) },
  render: ({ error }) => <ErrorNotice error={error} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^It was done all the same/)).toBeVisible()
    await expect(canvas.queryByRole('button')).not.toBeInTheDocument()
  },
})

/** In the service's own words, as text. */
export const Details = meta.story({
  args: {
    error: new BadRequestError(writing, response(400, 'name_taken', 'There is a <b>category</b> of this name.')),
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText('name_taken')).not.toBeVisible()
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText('There is a <b>category</b> of this name.')).toBeVisible()
  },
})

const actions = (
  <>
    <button type="button" className="petstore-button">
      Edit
    </button>
    <button type="button" className="petstore-button petstore-button-quiet">
      Discard
    </button>
  </>
)

/** Buttons of the app's own. */
export const WithActions = meta.story({
  args: { actions },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Try again',
      'Edit',
      'Discard',
    ])
  },
})

export const OwnWords = meta.story({
  args: { labels: { retry: 'Give it another go' }, 'aria-label': 'The rabbits could not be loaded' },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'The rabbits could not be loaded' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Give it another go' })).toBeVisible()
  },
})

/** 240 px, the narrowest that is supported, with all that there can be. */
export const Narrow = meta.story({
  args: {
    error: new ServerError(writing, response(500, 'internal_error'.repeat(4), 'Something broke. '.repeat(8))),
    actions,
  },
  decorators: [
    (Story) => (
      <div style={{ inlineSize: 240 }}>
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Details'))
    const notice = canvas.getByRole('group', { name: 'The service has a problem' })
    await expect(notice.scrollWidth).toBeLessThanOrEqual(notice.clientWidth)
    await expect(notice.getBoundingClientRect().width).toBeLessThanOrEqual(240)
  },
})

export const RightToLeft = meta.story({
  args: { error: new ServerError(writing, response(500, 'internal_error', 'حدث خطأ في الخادم')) },
  decorators: [
    (Story) => (
      <div dir="rtl">
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText('حدث خطأ في الخادم')).toHaveAttribute('dir', 'auto')
  },
})

export const Dark = meta.story({
  args: { error: new NetworkError(writing, undefined) },
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // it would darken the whole page
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'No connection' })).toBeVisible()
  },
})
