import { expect, waitFor } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import type { PetstoreService } from '../../src/testing.ts'
import { CategoryTable } from './CategoryTable.tsx'
import { WithSource } from './WithSource.tsx'

const meta = preview.meta({
  title: 'Examples/Category table',
  component: CategoryTable,
  decorators: [
    (Story) => (
      <WithSource file="CategoryTable">
        <Story />
      </WithSource>
    ),
  ],
})

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(canvas.getByRole('cell', { name: 'Hamster' })).toBeVisible())
    await waitFor(() => expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveValue(''))
  },
})

let isHalted = false

/** The row is there before the service has responded to. */
export const Adding = meta.story({
  parameters: {
    petstore: {
      latency: () => (isHalted ? 1 : 0),
      sleep: () => new Promise(() => {}),
      prepare: () => {
        isHalted = false
      },
    },
  },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    isHalted = true
    await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: 'Add' }))
    await expect(await canvas.findByRole('row', { name: 'Hamster Saving…' })).toBeVisible()
  },
})

let refusing: PetstoreService | undefined

/** No row is left behind, and what was typed stays. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: (service) => (refusing = service) } },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    refusing?.failNext({ status: 400 }, 1_000)
    await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: 'Add' }))
    await expect(await canvas.findByText('It was not added. Try again.')).toBeVisible()
    await expect(canvas.queryByRole('cell', { name: 'Hamster' })).not.toBeInTheDocument()
    await expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveValue('Hamster')
  },
})
