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
import { isAnotherDay } from '../src/labels/formats.ts'
import { waitText } from '../src/labels/waitText.ts'
import { formatOf, labelPattern, labelsOf } from './support/labelsOf.ts'
import { expectNarrowFit, narrow } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'

const listCall = { operation: 'listCategories', attempts: 1, method: 'GET', replay: 'safe' } as const
const createCall = { operation: 'createCategory', attempts: 1 }

const meta = preview.meta({
  title: 'Components/ErrorNotice',
  id: 'errornotice',
  component: ErrorNotice,
  args: { error: new NetworkError(listCall, undefined), onRetry: fn() },
  argTypes: { error: { control: false } },
})

type Context = Pick<PlayContext, 'canvas' | 'globals'>

const labels = (context: Context) => labelsOf(context).errorNotice
const retryButton = (context: Context) => context.canvas.getByRole('button', { name: labels(context).retry })
/** The notice about one kind of error. */
const noticeOf = (context: Context, kind: keyof ReturnType<typeof labels>['errors']) =>
  context.canvas.getByRole('group', { name: labels(context).errors[kind].title })

/** A play function that looks for the notice about one kind of error. */
const shows = (kind: keyof ReturnType<typeof labels>['errors']) => async (context: Context) =>
  expect(noticeOf(context, kind)).toBeVisible()

function errorResponse(status: number, code: string, message: string) {
  return { status, body: { status, code, message } }
}

/** Try the props in the controls. */
export const Playground = meta.story({
  args: { isRetrying: false },
  play: async (context) => {
    await expect(retryButton(context)).toBeVisible()
  },
})

/** The service cannot be reached. */
export const NoConnection = meta.story({
  play: async (context) => {
    await expect(noticeOf(context, 'network')).toHaveTextContent(labels(context).errors.network.advice)
    await context.userEvent.click(retryButton(context))
    await expect(context.args.onRetry).toHaveBeenCalledOnce()
  },
})

/** The service has not responded in time. */
export const Timeout = meta.story({
  args: { error: new TimeoutError(listCall, 30_000) },
  play: shows('timeout'),
})

/** The service has failed, and people can only try again. */
export const ServerFailed = meta.story({
  args: {
    error: new ServerError(listCall, errorResponse(503, 'maintenance', 'We are feeding the rabbits. Back at noon.')),
  },
  play: shows('server'),
})

/** The key is wrong: trying again helps only with another key. */
export const Unauthorized = meta.story({
  args: { error: new AuthenticationError(listCall, errorResponse(401, 'invalid_key', 'The API key is not known.')) },
  play: shows('authentication'),
})

/** The service does not accept what was sent. */
export const BadRequest = meta.story({
  args: {
    error: new BadRequestError(createCall, errorResponse(400, 'name_taken', 'There is a category of this name.')),
  },
  play: shows('bad-request'),
})

/** The app has found the problem itself: nothing was sent. */
export const InvalidInput = meta.story({
  args: { error: new InputValidationError(createCall, [{ message: 'expected a string', path: ['name'] }]) },
  play: shows('input-validation'),
})

/** A status that nobody expects. */
export const UnexpectedResponse = meta.story({
  args: { error: new UnexpectedStatusError(listCall, errorResponse(418, 'teapot', 'I am a teapot.')) },
  play: shows('unexpected-status'),
})

/** The response is broken. */
export const UnreadableResponse = meta.story({
  args: { error: new ResponseValidationError(listCall, [{ message: 'expected an array' }]) },
  play: shows('response-validation'),
})

/** Any other error, such as the `AbortError` of a canceled call. It has no details. */
export const OtherError = meta.story({
  args: { error: new DOMException('aborted', 'AbortError') },
  play: async (context) => {
    const { details, otherError } = labels(context)
    await expect(context.canvas.getByRole('group', { name: otherError.title })).toBeVisible()
    await expect(context.canvas.queryByText(details)).not.toBeInTheDocument()
  },
})

/** A notice whose wait starts with the story. Play functions read the end of the wait from `data-retry-at`. */
function RateLimitedNotice({ seconds, ...props }: Omit<ErrorNoticeProps, 'error'> & { seconds: number }): ReactElement {
  const [error] = useState(() => new RateLimitError(listCall, Date.now() + seconds * 1_000))
  return <ErrorNotice {...props} error={error} data-retry-at={error.retryAt} />
}

/** The countdown is visible only. It is not in the button’s name, and screen readers do not announce it. */
export const RequestLimitReached = meta.story({
  render: ({ error: _error, ...args }) => <RateLimitedNotice {...args} seconds={42} />,
  play: async (context) => {
    const button = retryButton(context)
    await expect(context.canvas.getByText(labelPattern(labels(context).retryIn))).toBeVisible()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await context.userEvent.click(button)
    await expect(context.args.onRetry).not.toHaveBeenCalled()
  },
})

/** A long wait has a time instead of a countdown. */
export const RequestLimitReachedForHours = meta.story({
  render: ({ error: _error, ...args }) => <RateLimitedNotice {...args} seconds={6 * 3_600} />,
  play: async (context) => {
    const { errors, retryIn, situations } = labels(context)
    const notice = context.canvas.getByRole('group', { name: /./ })
    const retryAt = Number(notice.dataset['retryAt'])
    await waitFor(() =>
      // From six in the evening on, the wait ends tomorrow.
      expect(notice).toHaveAccessibleName((isAnotherDay(retryAt) ? situations.limitToday : errors['rate-limit']).title),
    )
    await waitFor(() => expect(notice.textContent).toContain(waitText(retryIn, retryAt, formatOf(context))))
  },
})

function KeyPausedNotice(props: Omit<ErrorNoticeProps, 'error'>): ReactElement {
  const [error] = useState(
    () =>
      new UnexpectedStatusError(listCall, {
        ...errorResponse(403, 'key_banned', 'The key was banned for sending requests too soon.'),
        retryAt: Date.now() + 10 * 60_000,
      }),
  )
  return <ErrorNotice {...props} error={error} />
}

/** A 403 with a `Retry-After`: the service has paused the key. */
export const KeyPaused = meta.story({
  render: ({ error: _error, ...args }) => <KeyPausedNotice {...args} />,
  play: async (context) => {
    const { situations } = labels(context)
    await expect(context.canvas.getByRole('group', { name: situations.keyPaused.title })).toBeVisible()
    const button = retryButton(context)
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await context.userEvent.click(button)
    await expect(context.args.onRetry).not.toHaveBeenCalled()
  },
})

/** A 403 without a `Retry-After`. Trying again makes no sense, so there is no button. */
export const Forbidden = meta.story({
  args: { error: new UnexpectedStatusError(listCall, errorResponse(403, 'forbidden', 'Not with this key.')) },
  play: async (context) => {
    const { title, advice } = labels(context).situations.forbidden
    await expect(context.canvas.getByRole('group', { name: title })).toHaveTextContent(advice)
    await expect(context.canvas.queryByRole('button')).not.toBeInTheDocument()
  },
})

/** The wait is over and the button works. Screen readers announce that once. */
export const RequestLimitEnded = meta.story({
  tags: ['translated'],
  render: ({ error: _error, ...args }) => <RateLimitedNotice {...args} seconds={0} />,
  play: async (context) => {
    await expect(context.canvas.getByText(labels(context).retryNow)).toBeVisible()
    await context.userEvent.click(retryButton(context))
    await expect(context.args.onRetry).toHaveBeenCalledOnce()
  },
})

/** A retry is under way. */
export const Retrying = meta.story({
  tags: ['translated'],
  args: { isRetrying: true },
  play: async (context) => {
    const button = await context.canvas.findByRole('button', { name: labels(context).retrying })
    await context.userEvent.click(button)
    await expect(button).toHaveFocus()
    await expect(context.args.onRetry).not.toHaveBeenCalled()
  },
})

/** The response was lost, so the request may have succeeded. */
export const OutcomeUnknown = meta.story({
  args: { error: new NetworkError(createCall, undefined) },
  play: async (context) => {
    const { title, advice } = labels(context).situations.mayHaveHappened
    await expect(context.canvas.getByRole('group', { name: title })).toHaveTextContent(advice)
  },
})

/** The request succeeded, but the response cannot be read. */
export const AlreadyApplied = meta.story({
  args: { error: new ResponseValidationError(createCall, []) },
  render: ({ error }) => <ErrorNotice error={error} />,
  play: async (context) => {
    const { title, advice } = labels(context).situations.hasHappened
    await expect(context.canvas.getByRole('group', { name: title })).toHaveTextContent(advice)
    await expect(context.canvas.queryByRole('button')).not.toBeInTheDocument()
  },
})

/** The service’s error message, as plain text. */
export const Details = meta.story({
  args: {
    error: new BadRequestError(
      { ...createCall, callId: 'k3x9v2m8q1', headers: new Headers({ 'Content-Type': 'application/json' }) },
      errorResponse(400, 'name_taken', 'There is a <b>category</b> of this name.'),
    ),
  },
  play: async (context) => {
    const { canvas, userEvent } = context
    await expect(canvas.getByText('name_taken')).not.toBeVisible()
    await userEvent.click(canvas.getByText(labels(context).details))
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

/** `actions` adds your own buttons. */
export const WithActions = meta.story({
  args: { actions },
  play: async (context) => {
    await expect(context.canvas.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      labels(context).retry,
      'Edit',
      'Discard',
    ])
  },
})

/** `labels` changes the texts of this notice. */
export const CustomLabels = meta.story({
  args: { labels: { retry: 'Give it another go' }, 'aria-label': 'The rabbits could not be loaded' },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'The rabbits could not be loaded' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Give it another go' })).toBeVisible()
  },
})

/** 240 px, the narrowest supported width, with every part of the notice. */
export const Narrow = meta.story({
  args: {
    error: new ServerError(
      {
        ...listCall,
        callId: 'k3x9v2m8q1',
        headers: new Headers({ 'Content-Type': 'x'.repeat(60), 'X-RateLimit-Limit': '60' }),
      },
      errorResponse(500, 'internal_error'.repeat(4), 'Something broke. '.repeat(8)),
    ),
    actions,
  },
  decorators: [narrow],
  play: async (context) => {
    await context.userEvent.click(context.canvas.getByText(labels(context).details))
    await expectNarrowFit(noticeOf(context, 'server'))
  },
})

/** In Arabic, mirrored. */
export const RightToLeft = meta.story({
  args: { error: new ServerError(createCall, errorResponse(500, 'internal_error', 'حدث خطأ في الخادم')) },
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  play: async (context) => {
    const { canvas, userEvent } = context
    await userEvent.click(canvas.getByText(labels(context).details))
    const text = canvas.getByText('حدث خطأ في الخادم')
    await expect(text.closest('[dir]')).toHaveAttribute('dir', 'auto')
  },
})
