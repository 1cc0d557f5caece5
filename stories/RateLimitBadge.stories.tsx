import type { ReactElement } from 'react'
import { expect, waitFor } from 'storybook/test'
import { alwaysFail } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import { RateLimitBadge, type RateLimitBadgeProps, usePetstoreClient } from '../src/index.ts'
import type { PetstoreServiceOptions } from '../src/testing.ts'
import { expectNarrowFit, narrow, rightToLeft } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'

/** The badge, with a button that uses up the quota. */
function BadgeWithRequestButton(props: RateLimitBadgeProps): ReactElement {
  // Each press is a request of its own: a GET would join the one whose response is still being read.
  const { createCategory } = usePetstoreClient()
  const sendRequest = () => void createCategory({ name: 'Hamster' }).catch(() => {})
  return (
    <>
      <RateLimitBadge {...props} />
      <p>
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
  parameters: { petstore: { plan: [{ limit: 5, per: 86_400_000 }] } },
  render: (args) => <BadgeWithRequestButton {...args} />,
})

type Context = Pick<PlayContext, 'canvas' | 'userEvent'>

const badge = ({ canvas }: Pick<Context, 'canvas'>) => canvas.getByRole('group', { name: /^API requests/ })
/** The accessible name, which contains what the compact badge does not show. */
const badgeName = (context: Pick<Context, 'canvas'>) => badge(context).querySelector('[hidden]')

const sendRequest = ({ canvas, userEvent }: Context) =>
  userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))

/** Waits for the badge after each request. */
async function sendRequests(count: number, context: Context): Promise<void> {
  for (let sent = 1; sent <= count; sent += 1) {
    await sendRequest(context)
    const remaining = new RegExp(`(?<!\\d)${5 - sent} of 5 requests left`)
    await waitFor(() => expect(badge(context)).toHaveTextContent(remaining))
  }
}

/** A 429 from a proxy in front of the service, without the headers of the rate limit. */
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

export const Unknown = meta.story({
  play: async (context) => {
    await expect(badge(context)).toHaveTextContent('Checking…')
    await expect(context.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

export const Available = meta.story({
  play: async (context) => {
    await sendRequests(1, context)
    await expect(badge(context)).toHaveTextContent(/Available.*4 of 5 requests left.*Resets .*at/)
  },
})

/** A fifth or less is left. Background requests wait, so that people can continue. Screen readers announce it. */
export const Low = meta.story({
  play: async (context) => {
    await sendRequests(4, context)
    await expect(badge(context)).toHaveTextContent(/Running low.*1 of 5 requests left/)
    await waitFor(() => expect(document.querySelector('[role="status"]')).toHaveTextContent(/Running low/))
  },
})

/** Nothing is sent until the quota resets. */
export const UsedUp = meta.story({
  play: async (context) => {
    await sendRequests(5, context)
    await expect(badge(context)).toHaveTextContent(/Used up.*0 of 5 requests left.*Resumes in/)
  },
})

/** After a 429, nothing is sent until the wait that the service asked for is over. */
export const Paused = meta.story({
  parameters: { petstore: paused },
  play: async (context) => {
    await sendUntilPaused(context)
    await expect(badge(context)).toHaveTextContent(/Paused.*Resumes in \d+ seconds/)
  },
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
    await waitFor(() => expect(badge(context)).toHaveTextContent('12 requests left'))
    await expect(context.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

/** The free plan's 60 requests a minute. */
export const FreePlan = meta.story({
  parameters: { petstore: { plan: 'free' } satisfies PetstoreServiceOptions },
  play: async (context) => {
    await sendRequest(context)
    await waitFor(() => expect(badge(context)).toHaveTextContent('59 of 60 requests left'))
  },
})

/** One short line for a toolbar. Its accessible name contains the rest. */
export const Compact = meta.story({
  args: { compact: true },
  play: async (context) => {
    await sendRequests(1, context)
    await expect(context.canvas.getByRole('meter', { name: 'Requests left' })).toHaveTextContent('4/5')
    await expect(badgeName(context)).toHaveTextContent(/^API requests: Available\. 4 of 5 requests left\. Resets .*at/)
  },
})

export const CompactUnknown = meta.story({
  args: { compact: true },
  play: async (context) => {
    await expect(badgeName(context)).toHaveTextContent('API requests: Checking…')
  },
})

export const CompactLow = meta.story({
  args: { compact: true },
  play: async (context) => {
    await sendRequests(4, context)
    await expect(context.canvas.getByRole('meter', { name: 'Requests left' })).toHaveTextContent('1/5')
  },
})

export const CompactPaused = meta.story({
  args: { compact: true },
  parameters: { petstore: paused },
  play: async (context) => {
    await sendUntilPaused(context)
    await expect(context.canvas.getByText(/^\d+ sec$/)).toBeVisible()
    await expect(badgeName(context)).toHaveTextContent(/Paused\. Resumes in \d+ seconds/)
  },
})

/** `labels` changes the texts of this badge. */
export const CustomLabels = meta.story({
  args: { labels: { title: 'Carrots', ok: 'Plenty', remaining: (left) => `${left} carrots` } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await waitFor(() => expect(canvas.getByRole('group', { name: 'Carrots' })).toHaveTextContent('Plenty4 carrots'))
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
  decorators: [rightToLeft],
  play: async (context) => {
    await sendRequests(2, context)
    const fill = badge(context).querySelector('.petstore-rate-limit-badge-fill')
    const bar = fill?.parentElement
    await expect(fill?.getBoundingClientRect().right).toBe(bar?.getBoundingClientRect().right)
    await expect(fill?.getBoundingClientRect().left).toBeGreaterThan(bar?.getBoundingClientRect().left ?? Infinity)
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // the theme would apply to the whole docs page
  play: async (context) => {
    await sendRequests(4, context)
    await expect(badge(context)).toHaveTextContent('Running low')
  },
})
