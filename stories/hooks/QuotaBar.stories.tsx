import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { QuotaExample } from './QuotaBar.tsx'
import { withSource } from './withSource.tsx'

const meta = preview.meta({
  title: 'Examples/Quota bar',
  component: QuotaExample,
  parameters: { petstore: { plan: [{ limit: 5, per: 86_400_000 }] } },
  decorators: [withSource('QuotaBar')],
})

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText(/^4 of 5 requests left\./)).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    await expect(await canvas.findByText(/^3 of 5 requests left\./)).toBeVisible()
  },
})

/** A fifth or less is left. */
export const Low = meta.story({
  play: async ({ canvas, userEvent }) => {
    for (const remaining of [4, 3, 2]) {
      await canvas.findByText(new RegExp(`^${remaining} of 5`))
      await userEvent.click(canvas.getByRole('button', { name: 'Send a request' }))
    }
    await expect(await canvas.findByText(/^1 of 5 requests left, running low/)).toBeVisible()
    await expect(canvas.getByRole('meter')).toHaveValue(1)
  },
})
