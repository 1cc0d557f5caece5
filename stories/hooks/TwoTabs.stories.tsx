import { expect, userEvent, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { asExample } from './asExample.tsx'
import { TwoTabs } from './TwoTabs.tsx'

const meta = preview.meta({
  title: 'Examples/Two tabs',
  component: TwoTabs,
  args: { shareResponses: true },
  decorators: [asExample],
})

/** Opens the second tab once the first one shows rows. Resolves with the second one. */
async function openSecondTab(page: HTMLElement): Promise<ReturnType<typeof within>> {
  const canvas = within(page)
  await expect(await canvas.findByText('Rabbit')).toBeVisible()
  await userEvent.click(canvas.getByRole('button', { name: 'Open a second tab' }))
  const second = within(canvas.getByRole('region', { name: 'Second tab' }))
  await expect(await second.findByText('Rabbit')).toBeVisible()
  return second
}

/** The second tab gets the response of the first, and each tab gets what the other creates at once. */
export const Default = meta.story({
  play: async ({ canvas, canvasElement }) => {
    const second = await openSecondTab(canvasElement)
    // 2 on a busy machine: the second tab sends its own request if the first one passes its response on too late.
    const requests = canvas.getByText(/^GET requests: [12]$/).textContent
    await userEvent.click(second.getByRole('button', { name: 'Create a category' }))
    const first = within(canvas.getByRole('region', { name: 'First tab' }))
    await expect(await first.findByText('Hamster')).toBeVisible()
    await expect(canvas.getByText(requests)).toBeVisible()
  },
})

/** With `shareResponses={false}` each tab sends its own requests, and sees what the other has changed when it loads again. */
export const NotShared = meta.story({
  args: { shareResponses: false },
  play: async ({ canvas, canvasElement }) => {
    const second = await openSecondTab(canvasElement)
    await userEvent.click(second.getByRole('button', { name: 'Create a category' }))
    await expect(await second.findByText('Hamster')).toBeVisible()
    const first = within(canvas.getByRole('region', { name: 'First tab' }))
    await expect(first.queryByText('Hamster')).toBeNull()
    await expect(canvas.getByText('GET requests: 2')).toBeVisible()
  },
})
