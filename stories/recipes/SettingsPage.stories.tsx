import { expect, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { labelsOf } from '../support/labelsOf.ts'
import { SettingsPage } from './SettingsPage.tsx'

const meta = preview.meta({ title: 'Recipes/Form on a settings page', component: SettingsPage })

export const Default = meta.story({
  play: async (context) => {
    const { canvas, userEvent } = context
    const shop = canvas.getByRole('textbox', { name: 'Shop name' })
    await userEvent.type(shop, ' & Sons')
    const form = within(canvas.getByRole('form', { name: 'Add a category' }))
    await userEvent.type(form.getByRole('textbox', { name: labelsOf(context).categoryForm.name }), 'Hamster')
    await userEvent.click(form.getByRole('button', { name: 'Add category' }))
    await expect(await canvas.findByText('Added today: Hamster.')).toBeVisible()
    await expect(shop).toHaveValue('Paws & Co. & Sons')
  },
})
