import { expect, waitFor, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
// `petstore-react/devtools` shows nothing in a production build, and the published playground is one.
import { PetstoreDevtoolsPanel } from '../../src/devtools/production.ts'
import { createPetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { heldBack } from '../support/heldBack.ts'
import { narrow } from '../support/layouts.tsx'
import type { PlayContext } from '../support/PlayContext.ts'
import { stallableService } from '../support/stallableService.ts'
import { CallButtons } from './CallButtons.tsx'
import { createStaticClient } from './staticClient.ts'

const patient = { retry: { attempts: 1, maxWait: Infinity } }

const meta = preview.meta({
  title: 'Developer tools/PetstoreDevtoolsPanel',
  id: 'devtools-panel',
  component: PetstoreDevtoolsPanel,
  parameters: { petstore: patient },
  render: (args) => (
    <>
      <CallButtons />
      <PetstoreDevtoolsPanel {...args} />
    </>
  ),
})

type Context = Pick<PlayContext, 'canvas' | 'userEvent'>

const press = ({ canvas, userEvent }: Context, name: string) => userEvent.click(canvas.getByRole('button', { name }))

async function create(context: Context, times: number, name = 'Create'): Promise<void> {
  for (let count = 0; count < times; count += 1) await press(context, name)
}

/** Expects that the panel gives this reason for the first call that waits. */
async function expectReason({ canvas }: Context, sentence: RegExp | string): Promise<void> {
  const list = await canvas.findByRole('list', { name: /^Waiting calls/ })
  await waitFor(() => expect(within(list).getAllByText(sentence)[0]).toBeVisible())
}

async function expectResults({ canvas }: Context, result: string, count: number): Promise<void> {
  await waitFor(() => expect(canvas.getAllByRole('cell', { name: result })).toHaveLength(count))
}

/** Calls of the last minutes, and some that wait. */
export const Overview = meta.story({
  tags: ['translated'],
  parameters: { petstore: { createClient: createStaticClient } },
  render: (args) => <PetstoreDevtoolsPanel {...args} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('heading', { name: 'Waiting calls (4)' })).toBeVisible()
  },
})

export const Idle = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('No calls wait.')).toBeVisible()
    await expect(canvas.getByText('The service has not announced a request limit.')).toBeVisible()
  },
})

/** A call that failed, and one that succeeded. */
export const EndedCalls = meta.story({
  tags: ['translated'],
  parameters: { petstore: { ...patient, playsAlone: true, prepare: (service) => service.failNext({ status: 503 }) } },
  play: async (context) => {
    await create(context, 1)
    await expectResults(context, 'server', 1)
    await create(context, 1)
    await expectResults(context, 'success', 1)
  },
})

/** After a 429, every call waits. */
export const CoolingDown = meta.story({
  parameters: { petstore: heldBack(42) },
  play: async (context) => {
    await create(context, 2)
    await expectReason(context, /^Cool-down until .*: the service refused a request\.$/)
  },
})

/** Before the request limit is known, one request goes first as a probe, and the others wait for its response. */
export const Probe = meta.story({
  parameters: { petstore: { ...patient, latency: 1, sleep: () => new Promise<never>(() => {}) } },
  play: async (context) => {
    await create(context, 3)
    await expectReason(context, /^Waits for a response/)
  },
})

export const UsedUp = meta.story({
  parameters: { petstore: { ...patient, dailyLimit: 2 } },
  play: async (context) => {
    await create(context, 2)
    await expectResults(context, 'success', 2)
    await create(context, 1)
    await expectReason(context, /^All 2 requests are used until /)
  },
})

/** Background calls leave a tenth of the request limit to people. */
export const Reserve = meta.story({
  parameters: { petstore: { ...patient, dailyLimit: 10 } },
  play: async (context) => {
    await create(context, 9)
    await expectResults(context, 'success', 9)
    await create(context, 1, 'Create in the background')
    await expectReason(context, /^1 of 10 requests is kept for people, and this call is in the background\./)
  },
})

const stalling = stallableService()

/** Requests that have no response yet hold all that is left of the request limit. */
export const InFlight = meta.story({
  tags: ['translated'],
  parameters: { petstore: { ...patient, ...stalling.petstore, dailyLimit: 3 } },
  play: async (context) => {
    await create(context, 1)
    await expectResults(context, 'success', 1)
    stalling.stall()
    await create(context, 3)
    await expectReason(context, /^All 3 requests are used or in flight until /)
  },
})

/** Two calls in a row that fail without a response pause all requests, while no request limit is known. */
export const Failures = meta.story({
  parameters: {
    petstore: { ...patient, prepare: (service) => service.failNext({ connection: 'lost-before' }, 1_000) },
  },
  play: async (context) => {
    await create(context, 1)
    await expectResults(context, 'network', 2)
    await create(context, 1)
    await expectResults(context, 'network', 4)
    await create(context, 1)
    await expectReason(context, /^Pause until .*, after calls without a response that can be read\.$/)
  },
})

/** Where the rate-limit headers cannot be read, the plan sets the pace. */
export const Pace = meta.story({
  parameters: {
    petstore: {
      createClient: () => {
        const service = createPetstoreService()
        const headers = { 'X-RateLimit-Limit': null, 'X-RateLimit-Remaining': null, 'X-RateLimit-Reset': null }
        service.failNext({ status: 201, headers, body: '{"id":1,"name":"Fox"}' }, 1_000)
        const plan = { limit: 2, per: 3_600_000 }
        const options = { plan, retry: { maxWait: Infinity } }
        return createPetstoreClient({ ...service.providerProps(), ...options })
      },
    },
  },
  play: async (context) => {
    await create(context, 1)
    await expectResults(context, 'success', 1)
    await create(context, 1)
    await expectResults(context, 'success', 2)
    await create(context, 1)
    await expectReason(context, /^No request limit is announced now, and as many requests were sent/)
  },
})

/** Repeated requests after a 429 can get a key banned, so the tools warn before they forget a cool-down. */
export const ForgetCooldown = meta.story({
  parameters: { petstore: heldBack(42) },
  play: async (context) => {
    const { canvas } = context
    await create(context, 1)
    await expectReason(context, /^Cool-down until /)
    await context.userEvent.click(canvas.getByText('Forget the cool-down'))
    await expect(canvas.getByText(/can get the API key banned/)).toBeVisible()
  },
})

/** 240 px. Tables scroll sideways. */
export const Narrow = meta.story({
  decorators: [narrow],
  parameters: { petstore: { createClient: createStaticClient } },
  render: (args) => <PetstoreDevtoolsPanel {...args} />,
  play: async ({ canvas }) => {
    const panel = await canvas.findByRole('region', { name: 'Petstore developer tools' })
    await expect(await canvas.findByRole('heading', { name: 'Waiting calls (4)' })).toBeVisible()
    await expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth)
  },
})
