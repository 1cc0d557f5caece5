import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { labelsOf } from '../support/labelsOf.ts'
import { CategoryColumns } from './CategoryColumns.tsx'

const meta = preview.meta({ title: 'Recipes/Rows in columns', component: CategoryColumns })

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Edit Rabbit' }))
    await expect(canvas.getByText('Your app would open its editor for Rabbit here.')).toBeVisible()
  },
})

export const Narrow = meta.story({
  globals: { width: '360' },
  play: async (context) => {
    const { canvas } = context
    const list = canvas.getByRole('region', { name: labelsOf(context).categoryList.name })
    await canvas.findByRole('button', { name: 'Edit Rabbit' })
    await expect(list.scrollWidth).toBeLessThanOrEqual(list.clientWidth)
  },
})
