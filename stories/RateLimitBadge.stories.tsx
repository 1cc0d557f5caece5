import type { ReactElement } from 'react'
import { expect, waitFor } from 'storybook/test'
import { alwaysFail, neverRespond } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import { RateLimitBadge, type RateLimitBadgeProps, usePetstoreClient } from '../src/index.ts'
import { formatOf, labelPattern, labelsOf } from './support/labelsOf.ts'
import { expectNarrowFit, narrow } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'
import { waitsFor } from './support/waitsFor.ts'

/** The badge, with a button that uses up the request limit. */
function BadgeWithRequestButton(props: RateLimitBadgeProps): ReactElement {
  // A POST, so that each press sends a request: a GET would join the one whose response is still being read.
  const { createCategory } = usePetstoreClient()
  const sendRequest = () => void createCategory({ name: 'Hamster' }).catch(() => {})
  return (
    <>
      <RateLimitBadge {...props} />
      <p style={{ marginBlock: '1em' }}>
        <button type="button" className="petstore-button" onClick={sendRequest}>
          Send a request
        </button>
      </p>
    </>
  )
}

const meta = preview.meta({
  title: 'Components/RateLimitBadge',
  id: 'ratelimitbadge',
  component: RateLimitBadge,
  parameters: { petstore: { dailyLimit: 5 } },
  render: (args) => <BadgeWithRequestButton {...args} />,
})

type Context = Pick<PlayContext, 'canvas' | 'globals' | 'userEvent'>

const labels = (context: Context) => labelsOf(context).rateLimitBadge
const badge = (context: Context) =>
  context.canvas.getByRole('group', { name: (name) => name.startsWith(labels(context).title) })
async function expectTexts(context: Context, ...texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(badge(context)).toHaveTextContent(text)
}
/** The hidden element with the accessible name, which contains what the compact badge does not show. */
const badgeName = (context: Context) => badge(context).querySelector('[hidden]')
/** "4 of 5 requests left". */
const requestsLeft = (context: Context, remaining: number) => labels(context).remaining(remaining, 5, formatOf(context))

const sendRequest = ({ canvas, userEvent }: Context) =>
  userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))

/** Sends requests, and waits after each until the badge shows it. */
async function sendRequests(count: number, context: Context): Promise<void> {
  for (let sent = 1; sent <= count; sent += 1) {
    await sendRequest(context)
    await waitFor(() => expect(badge(context)).toHaveTextContent(requestsLeft(context, 5 - sent)))
  }
}

/** What the live regions of the page say at the moment. A docs page has one for each picture, and one for its stories. */
const announced = () =>
  [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join('\n')

/** A 429 from a proxy in front of the service, without the headers of the request limit. */
const paused = { prepare: alwaysFail({ status: 429, headers: { 'Retry-After': '42' } }) }

async function sendUntilPaused(context: Context): Promise<void> {
  await sendRequest(context)
  await waitFor(() => expect(badge(context)).toHaveAttribute('data-status', 'cooling-down'))
}

/** Send requests, and choose the size in the controls. */
export const Playground = meta.story({
  args: { compact: false },
  play: async (context) => sendRequests(1, context),
})

/** No request has been sent yet. */
export const Unknown = meta.story({
  play: async (context) => {
    await expect(badge(context)).toHaveTextContent(labels(context).idle)
    await expect(context.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

/** While the first request is under way. */
export const Checking = meta.story({
  parameters: { petstore: neverRespond },
  play: async (context) => {
    await sendRequest(context)
    await waitFor(() => expect(badge(context)).toHaveTextContent(labels(context).unknown))
  },
})

/** The service does not accept the key, whatever is left of its request limit. */
export const KeyRejected = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async (context) => {
    await sendRequest(context)
    await waitFor(() => expect(badge(context)).toHaveAttribute('data-status', 'rejected'))
    await expectTexts(context, labels(context).rejected, labels(context).waitsForKey)
    await expect(context.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

/** Requests are left. */
export const Available = meta.story({
  play: async (context) => {
    await sendRequests(1, context)
    await expectTexts(context, labels(context).ok, labelPattern(labels(context).resetsAt))
  },
})

/** A fifth or less is left. Polling pauses, so that people can continue. Screen readers announce it. */
export const Low = meta.story({
  play: async (context) => {
    await sendRequests(4, context)
    const { low } = labels(context)
    await expect(badge(context)).toHaveTextContent(low)
    await waitFor(() => expect(announced()).toContain(low))
  },
})

/** Nothing is sent until the request limit resets. */
export const UsedUp = meta.story({
  play: async (context) => {
    await sendRequests(5, context)
    await expect(badge(context)).toHaveTextContent(labelPattern(labels(context).exhaustedUntil))
    await expect(badge(context)).not.toHaveTextContent(labelPattern(labels(context).nextIn))
  },
})

/** After a 429, nothing is sent until the wait that the service asked for is over. */
export const Paused = meta.story({
  tags: ['translated'],
  parameters: { petstore: paused },
  play: async (context) => {
    await sendUntilPaused(context)
    await expectTexts(context, labels(context).coolingDown, labelPattern(labels(context).nextIn))
  },
})

/** Requests fail without a response, whatever is left of the request limit. */
export const CannotReachService = meta.story({
  parameters: { petstore: waitsFor('connection', 48) },
  play: async (context) => expectTexts(context, labels(context).connection, labelPattern(labels(context).retryingIn)),
})

/** The service sends the remaining requests, but not the limit. */
export const LimitUnknown = meta.story({
  parameters: {
    petstore: {
      prepare: (service) =>
        service.failNext({
          status: 200,
          headers: { 'X-RateLimit-Limit': null, 'X-RateLimit-Remaining': '12' },
          body: '[]',
        }),
    },
  },
  play: async (context) => {
    await sendRequest(context)
    const text = labels(context).remainingOnly(12, formatOf(context))
    await waitFor(() => expect(badge(context)).toHaveTextContent(text))
    await expect(context.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

/** One short line for a toolbar. Its accessible name contains the rest. */
export const Compact = meta.story({
  args: { compact: true },
  play: async (context) => {
    await sendRequests(1, context)
    const { meter, ok, resetsAt } = labels(context)
    await expect(context.canvas.getByRole('meter', { name: meter })).toHaveTextContent('4/5')
    for (const part of [ok, requestsLeft(context, 4), labelPattern(resetsAt)]) {
      await expect(badgeName(context)).toHaveTextContent(part)
    }
  },
})

/** One line, while requests fail without a response. */
export const CompactCannotReachService = meta.story({
  args: { compact: true },
  parameters: { petstore: waitsFor('connection', 48) },
  play: async (context) => {
    await expect(badgeName(context)).toHaveTextContent(labels(context).connection)
    await expect(badgeName(context)).toHaveTextContent(labelPattern(labels(context).retryingIn))
  },
})

/** One line, before the first response. */
export const CompactUnknown = meta.story({
  args: { compact: true },
  play: async (context) => {
    await expect(badgeName(context)).toHaveTextContent(labels(context).idle)
  },
})

/** One line, when few requests are left. */
export const CompactLow = meta.story({
  args: { compact: true },
  play: async (context) => {
    await sendRequests(4, context)
    const { meter } = labels(context)
    await expect(context.canvas.getByRole('meter', { name: meter })).toHaveTextContent('1/5')
  },
})

/** One line, after a 429. */
export const CompactPaused = meta.story({
  tags: ['translated'],
  args: { compact: true },
  parameters: { petstore: paused },
  play: async (context) => {
    await sendUntilPaused(context)
    const { coolingDown, nextIn } = labels(context)
    await expect(badge(context).querySelector('span[aria-hidden="true"]')).toBeVisible()
    for (const part of [coolingDown, labelPattern(nextIn)]) await expect(badgeName(context)).toHaveTextContent(part)
  },
})

/** `labels` changes the texts of this badge. */
export const CustomLabels = meta.story({
  args: { labels: { title: 'Carrots', ok: 'Plenty', remaining: (left) => `${left} carrots` } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await waitFor(() => expect(canvas.getByRole('group', { name: 'Carrots' })).toHaveTextContent(/Plenty.*4 carrots/))
  },
})

/** 240 px, the narrowest supported width. */
export const Narrow = meta.story({
  decorators: [narrow],
  play: async (context) => {
    await sendRequests(5, context)
    await expectNarrowFit(badge(context))
  },
})

/** The bar starts on the right. */
export const RightToLeft = meta.story({
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  play: async (context) => {
    await sendRequests(2, context)
    const fill = badge(context).querySelector('.petstore-rate-limit-badge-fill')
    const bar = fill?.parentElement
    const end = bar?.getBoundingClientRect().right ?? Infinity
    await expect(fill?.getBoundingClientRect().right).toBeCloseTo(end, 1)
    await expect(fill?.getBoundingClientRect().left).toBeGreaterThan(bar?.getBoundingClientRect().left ?? Infinity)
  },
})
