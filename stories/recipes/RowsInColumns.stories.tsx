import { type ReactElement, type ReactNode, useCallback, useState } from 'react'
import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { type Category, CategoryList } from '../../src/index.ts'
import './Recipes.css'

/** Outside of the component, so that it is the same function in each render: only rows that change render again. */
function columns({ id, name, description }: Category): ReactNode {
  return (
    <span className="recipe-columns">
      <span dir="auto">{name}</span>
      <span dir="auto">{description ?? '–'}</span>
      <span>{id}</span>
    </span>
  )
}

/**
 * `renderItem` lays the rows out in columns, `actions` adds a button to each. For sorting by column and the like, build a
 * real table on `useCategories`: see [Examples/Category table](?path=/docs/examples-category-table--docs).
 */
function CategoryColumns(): ReactElement {
  const [edited, setEdited] = useState<Category>()
  const actions = useCallback(
    (category: Category) => (
      <button
        type="button"
        className="petstore-button"
        aria-label={`Edit ${category.name}`}
        onClick={() => setEdited(category)}
      >
        Edit
      </button>
    ),
    [],
  )
  return (
    <>
      <CategoryList renderItem={columns} actions={actions} />
      <output>{edited && `Here the app would open its editor for ${edited.name}.`}</output>
    </>
  )
}

const meta = preview.meta({ title: 'Recipes/Rows in columns', component: CategoryColumns })

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Edit Rabbit' }))
    await expect(canvas.getByText('Here the app would open its editor for Rabbit.')).toBeVisible()
  },
})

export const Narrow = meta.story({
  globals: { width: '360' },
  play: async ({ canvas }) => {
    const list = canvas.getByRole('region', { name: 'Categories' })
    await canvas.findByRole('button', { name: 'Edit Rabbit' })
    await expect(list.scrollWidth).toBeLessThanOrEqual(list.clientWidth)
  },
})
