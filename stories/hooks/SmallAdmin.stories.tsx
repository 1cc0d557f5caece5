import { expect, waitFor, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import type { ServiceOperation } from '../../src/testing.ts'
import { failableService } from '../support/failableService.ts'
import { heldBack } from '../support/heldBack.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { asExample } from './asExample.tsx'
import { getFigure, SmallAdmin } from './SmallAdmin.tsx'

/** Always the same figure for a name. */
const operations: readonly ServiceOperation[] = [
  { operation: getFigure, handle: ({ params: { name = '' } }) => ({ body: { value: name.length * 37 } }) },
]

const meta = preview.meta({
  title: 'Examples/Small admin',
  component: SmallAdmin,
  parameters: { petstore: { operations } },
  decorators: [asExample],
})

async function findFigures({ canvas }: Pick<PlayContext, 'canvas'>): Promise<void> {
  await waitFor(() => expect(canvas.getAllByText(/^As of/)).toHaveLength(9)) // with that of the table
}

async function createHamster({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>): Promise<void> {
  await userEvent.click(canvas.getByRole('button', { name: 'New category' }))
  await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
  await userEvent.dblClick(canvas.getByRole('button', { name: 'Create' }))
}

async function send({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>, message: string): Promise<void> {
  const field = canvas.getByRole('textbox', { name: 'Message' })
  await userEvent.clear(field) // userEvent does not notice that the form has been reset
  await userEvent.type(field, message)
  await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
  await expect(field).toHaveValue('')
}

/** Someone creates a category, with a double click, and sends a message. */
export const Default = meta.story({
  parameters: { petstore: { operations, dailyLimit: 60 } },
  play: async ({ canvas, userEvent }) => {
    await findFigures({ canvas })
    await createHamster({ canvas, userEvent })
    await expect(await canvas.findByRole('row', { name: 'Hamster Saved' })).toBeVisible()
    await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument()
    await send({ canvas, userEvent }, 'Twenty hamsters, please.')
    await expect(await canvas.findByText('The service accepted the message.')).toBeVisible()
    // The list, eight figures, one category and the message.
    await expect(await canvas.findByText('49 of 60 requests left')).toBeVisible()
  },
})

const refusing = failableService()

/** The dialog stays open and keeps the name. */
export const Refused = meta.story({
  tags: ['!autodocs'], // its dialog would cover the whole docs page
  parameters: { petstore: { operations, ...refusing.petstore } },
  play: async ({ canvas, userEvent }) => {
    await findFigures({ canvas })
    refusing.fail({ status: 400 })
    await createHamster({ canvas, userEvent })
    const dialog = within(canvas.getByRole('dialog'))
    await expect(await dialog.findByText('Not created. Try again.')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Hamster')
  },
})

const losing = failableService()

/** A message whose response is lost may have been sent. The app keeps it, and asks before it sends it again. */
export const DeliveryUnknown = meta.story({
  parameters: { petstore: { operations, ...losing.petstore } },
  play: async ({ canvas, userEvent }) => {
    await findFigures({ canvas })
    losing.fail({ connection: 'lost-after' })
    await send({ canvas, userEvent }, 'Twenty hamsters, please.')
    await expect(await canvas.findByText('It may have been sent.')).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Send again anyway' })).toBeVisible()
  },
})

/** A 429 delays everything. Each message in the outbox waits, and can be canceled by itself. */
export const Waiting = meta.story({
  parameters: { petstore: { operations, ...heldBack(42) } },
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText(/^Paused\. Resumes in/)).toBeVisible()
    await waitFor(() => expect(canvas.getAllByText(/^Updates in/)).toHaveLength(8))
    await send({ canvas, userEvent }, 'Feed the rabbits.')
    await send({ canvas, userEvent }, 'Feed the fish.')
    const outbox = within(canvas.getByRole('list', { name: 'Outbox' }))
    await waitFor(() => expect(outbox.getAllByText(/^Will be sent in/)).toHaveLength(2))
    const [cancelFirst] = outbox.getAllByRole('button', { name: 'Cancel' })
    if (cancelFirst) await userEvent.click(cancelFirst)
    await waitFor(() => expect(outbox.queryByText('Feed the rabbits.')).not.toBeInTheDocument())
    await expect(outbox.getByText('Feed the fish.')).toBeVisible()
    await expect(canvas.getByRole('textbox', { name: 'Message' })).toHaveFocus()
  },
})

/** A fifth of the requests or less is left: the figures rest, so that people can go on. */
export const Low = meta.story({
  parameters: { petstore: { operations, dailyLimit: 12 } },
  play: async ({ canvas, userEvent }) => {
    await findFigures({ canvas })
    await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(canvas.getAllByText('Paused: few requests left')).toHaveLength(8))
    await expect(canvas.getByText('2 of 12 requests left')).toBeVisible()
  },
})
