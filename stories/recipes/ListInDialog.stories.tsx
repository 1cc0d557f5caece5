import { expect, waitFor } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import type { PlayContext } from '../support/PlayContext.ts'
import { CategoryPicker } from './CategoryPicker.tsx'

const meta = preview.meta({
  title: 'Recipes/List in a dialog',
  component: CategoryPicker,
  parameters: { docs: { story: { inline: false, height: '34rem' } } },
})

async function openAndSelect({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>): Promise<void> {
  await userEvent.click(canvas.getByRole('button', { name: 'Choose a category' }))
  await expect(canvas.getByRole('dialog', { name: 'Choose a category' })).toBeVisible()
  // Not the search box: `CategoryPicker` says why.
  await expect(canvas.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.click(await canvas.findByRole('radio', { name: 'Rabbit' }))
  await waitFor(() => expect(canvas.getByRole('radio', { name: 'Rabbit' })).toBeChecked())
}

export const Open = meta.story({ play: openAndSelect })

/** Focus returns to the button that opened the dialog. */
export const Chosen = meta.story({
  tags: ['!autodocs'], // two dialogs would take the focus from each other
  play: async ({ canvas, userEvent }) => {
    await openAndSelect({ canvas, userEvent })
    await userEvent.click(canvas.getByRole('button', { name: 'Choose' }))
    await expect(canvas.getByText('Chosen: number 3.')).toBeVisible()
    await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument()
    await expect(canvas.getByRole('button', { name: 'Choose a category' })).toHaveFocus()
  },
})
