import { expect } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { QuotaLab } from './quotaLab/QuotaLab.tsx'

const meta = preview.meta({
  title: 'Demos/Quota lab',
  id: 'quota-lab',
  component: QuotaLab,
  argTypes: { initialScenario: { description: 'The scenario chosen at first.', control: false } },
  parameters: { petstore: { categories: [] } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Run simulation' }))
    const report = await canvas.findByRole('region', { name: 'With petstore-react' }, { timeout: 20_000 })
    await expect(report).toHaveTextContent('Sent during a cool-down0Sent while banned0')
    await expect(report).toHaveTextContent('No ban risk')
  },
})

export const Burst = meta.story({ args: { initialScenario: 'burst' } })
export const Dashboard = meta.story({ args: { initialScenario: 'dashboard' } })
export const FourTabs = meta.story({ args: { initialScenario: 'four-tabs' } })
export const Reloads = meta.story({ args: { initialScenario: 'reloads' } })
export const DailyLimitReached = meta.story({ args: { initialScenario: 'daily-limit' } })
export const HiddenHeaders = meta.story({ args: { initialScenario: 'hidden-headers' } })
