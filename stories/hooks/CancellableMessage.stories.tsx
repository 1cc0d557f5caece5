import { expect } from 'storybook/test'
import { neverRespond } from '../../.storybook/faults.ts'
import preview from '../../.storybook/preview.tsx'
import { heldBack } from '../support/heldBack.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { asExample } from './asExample.tsx'
import { CancellableMessage } from './CancellableMessage.tsx'

const meta = preview.meta({
  title: 'Examples/Cancellable message',
  component: CancellableMessage,
  decorators: [asExample],
})

const sendButton = ({ canvas }: Pick<PlayContext, 'canvas'>) =>
  canvas.getByRole('button', { name: 'Ask for the rabbits to be fed' })

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(sendButton({ canvas }))
    await expect(await canvas.findByText('The service accepted the message.')).toBeVisible()
  },
})

/** Focus stays on the button. */
export const Canceled = meta.story({
  parameters: { petstore: neverRespond },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(sendButton({ canvas }))
    await expect(await canvas.findByText('Sending…')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Cancel' }))
    await expect(await canvas.findByText(/^Canceled\./)).toBeVisible()
    await expect(sendButton({ canvas })).toHaveFocus()
  },
})

/** The request limit holds the message back. It is sent on its own at the time shown. */
export const Waiting = meta.story({
  parameters: { petstore: heldBack(42) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(sendButton({ canvas }))
    await expect(await canvas.findByText(/^Waiting for the request limit\. Will be sent at/)).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Cancel' })).toBeVisible()
  },
})
