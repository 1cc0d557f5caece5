import type { ReactElement } from 'react'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { RateLimitBadge, type RateLimitBadgeProps, usePetstoreClient } from '../src/index.ts'
import type { PetstoreService, PetstoreServiceOptions } from '../src/testing.ts'

/** The badge beside something that uses the quota up. */
function BadgeAndRequests(props: RateLimitBadgeProps): ReactElement {
  const { listCategories } = usePetstoreClient()
  return (
    <>
      <RateLimitBadge {...props} />
      <p>
        <button type="button" className="petstore-button" onClick={() => void listCategories().catch(() => {})}>
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
  render: (args) => <BadgeAndRequests {...args} />,
})

interface Surroundings {
  readonly canvas: {
    readonly getByRole: (role: string, options?: { readonly name?: string | RegExp }) => HTMLElement
  }
  readonly userEvent: { readonly click: (element: Element) => Promise<void> }
}

const badge = ({ canvas }: Surroundings) => canvas.getByRole('group', { name: /^Rate limit/ })

/** Each request leaves once the badge has shown the last. */
async function send(times: number, surroundings: Surroundings): Promise<void> {
  for (let sent = 1; sent <= times; sent += 1) {
    await surroundings.userEvent.click(surroundings.canvas.getByRole('button', { name: 'Send a request' }))
    const left = new RegExp(`(?<!\\d)${5 - sent} of 5 requests left`)
    await waitFor(() => expect(badge(surroundings)).toHaveTextContent(left))
  }
}

/** A 429 from something in front of the service: no quota is told. */
const paused = {
  prepare: (service: PetstoreService) => service.failNext({ status: 429, headers: { 'Retry-After': '42' } }, 1_000),
}

async function sendUntilPaused(surroundings: Surroundings): Promise<void> {
  await surroundings.userEvent.click(surroundings.canvas.getByRole('button', { name: 'Send a request' }))
  await waitFor(() => expect(badge(surroundings)).toHaveAttribute('data-status', 'cooling-down'))
}

/** Send requests, and choose between the two sizes in the controls. */
export const Playground = meta.story({
  args: { compact: false },
  play: async ({ canvas, userEvent }) => send(1, { canvas, userEvent }),
})

export const Unknown = meta.story({
  play: async (surroundings) => {
    await expect(badge(surroundings)).toHaveTextContent('Not known yet')
    await expect(surroundings.canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

export const Available = meta.story({
  play: async (surroundings) => {
    await send(1, surroundings)
    await expect(badge(surroundings)).toHaveTextContent(/Available.*4 of 5 requests left.*Resets at/)
  },
})

/** A fifth or less is left: background work waits, so that people can go on. That is spoken. */
export const Low = meta.story({
  play: async (surroundings) => {
    await send(4, surroundings)
    await expect(badge(surroundings)).toHaveTextContent(/Running low.*1 of 5 requests left/)
    await waitFor(() => expect(document.querySelector('[role="status"]')).toHaveTextContent(/Running low/))
  },
})

/** Nothing is sent before the window ends. */
export const UsedUp = meta.story({
  play: async (surroundings) => {
    await send(5, surroundings)
    await expect(badge(surroundings)).toHaveTextContent(/Used up.*0 of 5 requests left.*Next request in/)
  },
})

/** After a 429: nothing is sent before the time that the service has named. */
export const Paused = meta.story({
  parameters: { petstore: paused },
  play: async (surroundings) => {
    await sendUntilPaused(surroundings)
    await expect(badge(surroundings)).toHaveTextContent(/Paused by the service.*Next request in 4\d seconds/)
  },
})

/** The service tells what is left, but not of how much. */
export const NoLimitAnnounced = meta.story({
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
  play: async (surroundings) => {
    const { canvas, userEvent } = surroundings
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await waitFor(() => expect(badge(surroundings)).toHaveTextContent('12 requests left'))
    await expect(canvas.queryByRole('meter')).not.toBeInTheDocument()
  },
})

/** A minute of the smallest plan, as it really is. */
export const FreePlan = meta.story({
  parameters: { petstore: { plan: 'free' } satisfies PetstoreServiceOptions },
  play: async (surroundings) => {
    const { canvas, userEvent } = surroundings
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await waitFor(() => expect(badge(surroundings)).toHaveTextContent('59 of 60 requests left'))
  },
})

const name = (surroundings: Surroundings) => badge(surroundings).querySelector('[hidden]')

/** One short line for a toolbar. What it does not show is in its accessible name. */
export const Compact = meta.story({
  args: { compact: true },
  play: async (surroundings) => {
    await send(1, surroundings)
    await expect(surroundings.canvas.getByRole('meter', { name: 'Requests left' })).toHaveTextContent('4/5')
    await expect(name(surroundings)).toHaveTextContent(/^Rate limit: Available\. 4 of 5 requests left\. Resets at/)
  },
})

export const CompactUnknown = meta.story({
  args: { compact: true },
  play: async (surroundings) => {
    await expect(name(surroundings)).toHaveTextContent('Rate limit: Not known yet.')
  },
})

export const CompactLow = meta.story({
  args: { compact: true },
  play: async (surroundings) => {
    await send(4, surroundings)
    await expect(surroundings.canvas.getByRole('meter', { name: 'Requests left' })).toHaveTextContent('1/5')
  },
})

export const CompactPaused = meta.story({
  args: { compact: true },
  parameters: { petstore: paused },
  play: async (surroundings) => {
    await sendUntilPaused(surroundings)
    await expect(surroundings.canvas.getByText(/^4\d sec$/)).toBeVisible()
    await expect(name(surroundings)).toHaveTextContent(/Paused by the service\. Next request in 4\d seconds/)
  },
})

export const OwnWords = meta.story({
  args: { labels: { title: 'Carrots', ok: 'Plenty', remaining: (left) => `${left} carrots` } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await waitFor(() => expect(canvas.getByRole('group', { name: 'Carrots' })).toHaveTextContent('Plenty4 carrots'))
  },
})

/** 240 px: the narrowest that is supported. */
export const Narrow = meta.story({
  decorators: [
    (Story) => (
      <div style={{ inlineSize: 240 }}>
        <Story />
      </div>
    ),
  ],
  play: async (surroundings) => {
    await send(5, surroundings)
    const { scrollWidth, clientWidth, offsetWidth } = badge(surroundings)
    await expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    await expect(offsetWidth).toBeLessThanOrEqual(240)
  },
})

/** The bar fills from the right. */
export const RightToLeft = meta.story({
  decorators: [
    (Story) => (
      <div dir="rtl">
        <Story />
      </div>
    ),
  ],
  play: async (surroundings) => {
    await send(2, surroundings)
    const fill = badge(surroundings).querySelector('.petstore-rate-limit-badge-fill')
    const bar = fill?.parentElement
    await expect(fill?.getBoundingClientRect().right).toBe(bar?.getBoundingClientRect().right)
    await expect(fill?.getBoundingClientRect().left).toBeGreaterThan(bar?.getBoundingClientRect().left ?? Infinity)
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // it would darken the whole page
  play: async (surroundings) => {
    await send(4, surroundings)
    await expect(badge(surroundings)).toHaveTextContent('Running low')
  },
})
