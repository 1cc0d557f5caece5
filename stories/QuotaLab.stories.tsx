import { expect } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { QuotaLab } from './quotaLab/QuotaLab.tsx'

const meta = preview.meta({
  title: 'Demos/Quota lab',
  id: 'quota-lab',
  component: QuotaLab,
  argTypes: { initialStorm: { description: 'What happens, until another is picked.', control: false } },
  parameters: { petstore: { categories: [] } },
  // Never a request in a cool-down, and never a ban: in the same weather in which plain fetch gets the key banned.
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Storm' }))
    const ours = await canvas.findByRole('region', { name: 'With petstore-react' }, { timeout: 20_000 })
    await expect(ours).toHaveTextContent('Sent during a cool-down0Sent while banned0')
    await expect(ours).toHaveTextContent('The key was never in danger.')
  },
})

export const Burst = meta.story({ args: { initialStorm: 'burst' } })
export const Dashboard = meta.story({ args: { initialStorm: 'dashboard' } })
export const FourTabs = meta.story({ args: { initialStorm: 'tabs' } })
export const Reloads = meta.story({ args: { initialStorm: 'reloads' } })
export const UsedUpDay = meta.story({ args: { initialStorm: 'used-up-day' } })
export const HiddenHeaders = meta.story({ args: { initialStorm: 'hidden-headers' } })
