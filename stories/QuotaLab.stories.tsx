import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { planTitles } from '../.storybook/toolbar.ts'
import { QuotaLab } from './quotaLab/QuotaLab.tsx'
import { trafficScenarios } from './quotaLab/trafficScenarios.ts'
import { saveInAddress } from './support/saveInAddress.ts'

const meta = preview.meta({
  title: 'Demos/Request limit lab',
  id: 'quota-lab',
  component: QuotaLab,
  args: { scenario: 'four-tabs', plan: 'free' },
  argTypes: {
    // Storybook takes only args with a `type` from an address.
    scenario: { type: 'string', description: 'The scenario.', options: Object.keys(trafficScenarios), control: false },
    plan: { type: 'string', description: 'The plan of the API key.', options: Object.keys(planTitles), control: false },
    onChoose: { table: { disable: true } },
  },
  parameters: { petstore: { categories: [] } },
  render: (args, { id }) => <QuotaLab {...args} onChoose={saveInAddress(id)} />,
  play: async ({ canvas }) => {
    const ours = canvas.getByRole('region', { name: 'petstore-react' })
    // Storybook runs the labs of a docs page at the same time, and WebKitGTK takes ten times as long as others.
    await within(ours).findByText('No ban risk.', undefined, { timeout: 90_000 })
    await expect(canvas.getByRole('region', { name: 'Plain fetch' })).toHaveTextContent(/Key banned after \d+ s\./)
  },
})

export const FourTabs = meta.story({
  tags: ['deep'],
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: /^petstore-react gets all 360 calls through\./ }, { timeout: 90_000 })
    const scores = ['petstore-react', 'Retry per request', 'Plain fetch'].map((name) =>
      canvas.getByRole('region', { name }),
    )
    await waitFor(() => expect(scores[0]).toHaveTextContent('360 of 360'), { timeout: 30_000 })
    await expect(scores[1]).toHaveTextContent('60 of 360')
    await expect(scores[2]).toHaveTextContent('60 of 360')
    await expect(canvas.getAllByText(/^Key banned after/)).toHaveLength(2)
  },
})
export const Burst = meta.story({ args: { scenario: 'burst' }, tags: ['deep'] })
export const Dashboard = meta.story({ args: { scenario: 'dashboard' }, tags: ['deep'] })
export const Reloads = meta.story({ args: { scenario: 'reloads' }, tags: ['deep'] })
export const DailyLimitReached = meta.story({ args: { scenario: 'daily-limit' }, tags: ['deep'] })
export const HiddenHeaders = meta.story({ args: { scenario: 'hidden-headers' }, tags: ['deep'] })

/** A change of the plan runs the simulation again, and a live region announces the results. */
export const OtherPlan = meta.story({
  args: { scenario: 'burst' },
  play: async ({ canvas, userEvent }) => {
    await userEvent.selectOptions(canvas.getByRole('combobox', { name: 'Plan' }), 'Pro: 300 a minute')
    const results = canvas.getAllByRole('status').at(-1)
    await waitFor(() => expect(results).toHaveTextContent('Plain fetch: 180 of 180. No ban risk.'), {
      timeout: 30_000,
    })
  },
})
