import { expect, waitFor } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { failableService } from '../support/failableService.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { stallableService } from '../support/stallableService.ts'
import { asExample } from './asExample.tsx'
import { CategoryTable } from './CategoryTable.tsx'

const meta = preview.meta({
  title: 'Examples/Category table',
  component: CategoryTable,
  decorators: [asExample],
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
    await expect(await canvas.findByRole('row', { name: 'Hamster Creating…' })).toBeVisible()
  },
})

const refusing = failableService()

/** The new row disappears, and the name stays in the field. */
export const Refused = meta.story({
  parameters: { petstore: refusing.petstore },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('cell', { name: 'Rabbit' })
    refusing.fail({ status: 400 })
    await addHamster({ canvas, userEvent })
    await expect(await canvas.findByText('Not added. Try again.')).toBeVisible()
    await expect(canvas.queryByRole('cell', { name: 'Hamster' })).not.toBeInTheDocument()
    await expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveValue('Hamster')
  },
})
