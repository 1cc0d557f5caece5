import { expect, waitFor } from 'storybook/test'
import { alwaysFail } from '../../.storybook/faults.ts'
import preview from '../../.storybook/preview.tsx'
import type { PetstoreService } from '../../src/testing.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { stallableService } from '../support/stallableService.ts'
import { CategoryTable } from './CategoryTable.tsx'
import { withSource } from './withSource.tsx'

const meta = preview.meta({
  title: 'Examples/Category table',
  component: CategoryTable,
  decorators: [withSource('CategoryTable')],
})

async function addHamster({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>): Promise<void> {
  await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
  await userEvent.click(canvas.getByRole('button', { name: 'Add' }))
}

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    await addHamster({ canvas, userEvent })
    await waitFor(() => expect(canvas.getByRole('cell', { name: 'Hamster' })).toBeVisible())
    await waitFor(() => expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveValue(''))
  },
})

const adding = stallableService()

/** The new row appears before the service responds. */
export const Adding = meta.story({
  parameters: { petstore: adding.petstore },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    adding.stall()
    await addHamster({ canvas, userEvent })
    await expect(await canvas.findByRole('row', { name: 'Hamster Saving…' })).toBeVisible()
  },
})

let refusingService: PetstoreService | undefined

/** The new row disappears, and the name stays in the field. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: (service) => (refusingService = service) } },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    if (refusingService) alwaysFail({ status: 400 })(refusingService)
    await addHamster({ canvas, userEvent })
    await expect(await canvas.findByText('Not added. Try again.')).toBeVisible()
    await expect(canvas.queryByRole('cell', { name: 'Hamster' })).not.toBeInTheDocument()
    await expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveValue('Hamster')
  },
})
