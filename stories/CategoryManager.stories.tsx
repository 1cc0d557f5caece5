import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { CategoryManager } from '../src/components/CategoryManager/CategoryManager.tsx'

const meta = preview.meta({ title: 'Components/CategoryManager', id: 'categorymanager', component: CategoryManager })

export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('list')).toBeVisible()
    await expect(canvas.getByRole('form', { name: 'New category' })).toBeVisible()
  },
})

/** The new category shows at once, and is never asked for again. */
export const Creating = meta.story({
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText('Rabbit')
    await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: 'Create category' }))
    const list = canvas.getByRole('region', { name: 'Categories' })
    // The pending row gives way to the created one.
    await waitFor(() => expect(within(list).getByText('Hamster')).toBeVisible())
  },
})

export const Empty = meta.story({
  parameters: { petstore: { categories: [] } },
  play: async ({ canvas, userEvent }) => {
    const list = canvas.getByRole('region', { name: 'Categories' })
    await userEvent.click(await within(list).findByRole('button', { name: 'Create category' }))
    await expect(canvas.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  },
})

/** Below each other where there is no room beside each other. */
export const Narrow = meta.story({
  globals: { width: '240' },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('list')).toBeVisible()
  },
})
