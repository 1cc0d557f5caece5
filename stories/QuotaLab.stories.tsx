import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { QuotaLab } from './quotaLab/QuotaLab.tsx'

const meta = preview.meta({
  title: 'Demos/Quota lab',
  id: 'quota-lab',
  component: QuotaLab,
  argTypes: { initialScenario: { description: 'The scenario chosen at first.', control: false } },
  parameters: { petstore: { categories: [] } },
  play: async ({ canvas }) => {
    const report = canvas.getByRole('region', { name: 'petstore-react' })
    // Storybook runs the labs of a docs page at the same time, and WebKitGTK takes ten times as long as others.
    await within(report).findByText('No ban risk.', undefined, { timeout: 90_000 })
    await expect(canvas.getByRole('region', { name: 'Plain fetch' })).toHaveTextContent('Key banned.')
  },
})

export const Burst = meta.story({ args: { initialScenario: 'burst' } })
export const Dashboard = meta.story({ args: { initialScenario: 'dashboard' } })
export const FourTabs = meta.story({ args: { initialScenario: 'four-tabs' } })
export const Reloads = meta.story({ args: { initialScenario: 'reloads' } })
export const DailyLimitReached = meta.story({ args: { initialScenario: 'daily-limit' } })
export const HiddenHeaders = meta.story({ args: { initialScenario: 'hidden-headers' } })

/** A change of the plan runs the simulation again, and a live region announces the results. */
export const OtherPlan = meta.story({
  args: { initialScenario: 'burst' },
  play: async ({ canvas, userEvent }) => {
    await userEvent.selectOptions(canvas.getByRole('combobox', { name: 'Plan' }), 'Pro: 300 a minute')
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Plain fetch: 180 of 180, succeeded.'), {
      timeout: 30_000,
    })
    await userEvent.click(canvas.getByText('All figures'))
    await expect(canvas.getByRole('row', { name: 'Requests sent 180 180 180' })).toBeVisible()
  },
})
