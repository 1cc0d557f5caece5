import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { ListAndDetail } from './ListAndDetail.tsx'

const meta = preview.meta({
  title: 'Recipes/Detail pane',
  component: ListAndDetail,
  parameters: {
    petstore: {
      categories: [
        { id: '9007199254740993', name: 'Rabbit', description: 'Soft ears, sharp teeth' },
        { id: '9007199254740992', name: 'Hare' },
      ],
    },
  },
})

export const NothingSelected = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('radio', { name: 'Rabbit' })).not.toBeChecked()
    await expect(canvas.getByText('Select a category to see its details.')).toBeVisible()
  },
})

export const Selected = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('radio', { name: 'Rabbit' }))
    await expect(canvas.getByRole('heading', { name: 'Rabbit' })).toBeVisible()
    await expect(canvas.getByText('Number 9007199254740993')).toBeVisible()
  },
})
