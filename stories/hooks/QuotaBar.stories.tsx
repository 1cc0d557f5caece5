import { expect, userEvent, waitFor, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { asExample } from './asExample.tsx'
import { QuotaExample } from './QuotaBar.tsx'

const meta = preview.meta({
  title: 'Examples/Request limit bar',
  component: QuotaExample,
  parameters: { petstore: { dailyLimit: 5 } },
  decorators: [asExample],
})

/** Waits for the button first: the text changes with the head of a response, while its body is still read. */
async function sendRequest(element: HTMLElement): Promise<void> {
  const button = within(element).getByRole('button', { name: 'Send a request' })
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'))
  await userEvent.click(button)
}

export const Default = meta.story({
  play: async ({ canvas, canvasElement }) => {
    await expect(await canvas.findByText(/^4 of 5 requests left\./)).toBeVisible()
    await sendRequest(canvasElement)
    await expect(await canvas.findByText(/^3 of 5 requests left\./)).toBeVisible()
  },
})

/** A fifth or less is left. */
export const Low = meta.story({
  play: async ({ canvas, canvasElement }) => {
    for (const remaining of [4, 3, 2]) {
      await canvas.findByText(new RegExp(`^${remaining} of 5`))
      await sendRequest(canvasElement)
    }
    await expect(await canvas.findByText(/^1 of 5 requests left, running low/)).toBeVisible()
    await expect(canvas.getByRole('meter')).toHaveValue(1)
  },
})
