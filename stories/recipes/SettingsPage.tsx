import { type ReactElement, useId, useState } from 'react'
import { CategoryForm } from '../../src/index.ts'
import './Recipes.css'

/**
 * A `CategoryForm` next to a form of the app. A heading of the page names it, and `labels` changes its button. HTML does
 * not allow a form inside a form, so put them side by side.
 */
export function SettingsPage(): ReactElement {
  const [createdNames, setCreatedNames] = useState<readonly string[]>([])
  const categoryHeadingId = useId()
  return (
    <div className="recipe-settings">
      <ShopSection />
      <section>
        <h2 id={categoryHeadingId}>Add a category</h2>
        <CategoryForm
          aria-labelledby={categoryHeadingId}
          labels={{ submit: 'Add category' }}
          onCreated={({ name }) => setCreatedNames((names) => [...names, name])}
        />
        <p>{createdNames.length === 0 ? 'None added today.' : `Added today: ${createdNames.join(', ')}.`}</p>
      </section>
    </div>
  )
}

function ShopSection(): ReactElement {
  const headingId = useId()
  return (
    <section>
      <h2 id={headingId}>Your shop</h2>
      <form aria-labelledby={headingId} onSubmit={(event) => event.preventDefault()}>
        <label>
          Shop name <input name="shop" className="petstore-input" defaultValue="Paws & Co." />
        </label>
        <div className="recipe-buttons">
          <button type="submit" className="petstore-button petstore-button-primary">
            Save shop
          </button>
        </div>
      </form>
    </section>
  )
}
