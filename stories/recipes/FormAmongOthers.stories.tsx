import { type ReactElement, type SubmitEvent, useId, useState } from 'react'
import { expect, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { CategoryForm } from '../../src/index.ts'
import './Recipes.css'

/**
 * A `CategoryForm` on a page with other forms: with a heading of the page's for a name, and words of its own. The forms
 * stand beside each other, since HTML allows no form in a form.
 */
function SettingsPage(): ReactElement {
  const [savedName, setSavedName] = useState<string>()
  const [created, setCreated] = useState<readonly string[]>([])
  const shopId = useId()
  const categoryId = useId()

  function save(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const name = new FormData(event.currentTarget).get('shop')
    if (typeof name === 'string') setSavedName(name)
  }

  return (
    <div className="recipe-settings">
      <section>
        <h2 id={shopId}>Your shop</h2>
        <form aria-labelledby={shopId} onSubmit={save}>
          <label>
            Name of the shop <input name="shop" className="petstore-input" defaultValue="Paws & Co." />
          </label>
          <div className="recipe-buttons">
            <button type="submit" className="petstore-button petstore-button-primary">
              Save shop
            </button>
          </div>
        </form>
        <output>{savedName !== undefined && `Saved “${savedName}”.`}</output>
      </section>
      <section>
        <h2 id={categoryId}>A category for it</h2>
        <CategoryForm
          aria-labelledby={categoryId}
          labels={{ submit: 'Add category' }}
          onCreated={({ name }) => setCreated((names) => [...names, name])}
        />
        <p>{created.length === 0 ? 'None added today.' : `Added today: ${created.join(', ')}.`}</p>
      </section>
    </div>
  )
}

const meta = preview.meta({ title: 'Recipes/Form among others', component: SettingsPage })

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    const shop = canvas.getByRole('textbox', { name: 'Name of the shop' })
    await userEvent.type(shop, ' & Sons')
    const form = within(canvas.getByRole('form', { name: 'A category for it' }))
    await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(form.getByRole('button', { name: 'Add category' }))
    await expect(await canvas.findByText('Added today: Hamster.')).toBeVisible()
    await expect(canvas.queryByText(/^Saved/)).not.toBeInTheDocument()
    await expect(shop).toHaveValue('Paws & Co. & Sons')
    await userEvent.click(canvas.getByRole('button', { name: 'Save shop' }))
    await expect(canvas.getByText('Saved “Paws & Co. & Sons”.')).toBeVisible()
  },
})
