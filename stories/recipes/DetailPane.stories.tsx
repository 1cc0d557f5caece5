import { type ReactElement, useState } from 'react'
import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { type CategoryId, CategoryList, useCategories } from '../../src/index.ts'
import './Recipes.css'

function CategoryDetail({ id }: { readonly id: CategoryId | undefined }): ReactElement {
  // Shares the list's data, so it sends no request.
  const { data } = useCategories()
  const category = data?.find((candidate) => candidate.id === id)
  if (!category) return <p>Select a category to see its details.</p>
  return (
    <>
      <h2 dir="auto">{category.name}</h2>
      <p dir="auto">{category.description ?? 'No description.'}</p>
      <p>Number {category.id}</p>
    </>
  )
}

/** A `CategoryList` with the details of the selected category next to it. Ids are strings, exact beyond 2^53. */
function ListAndDetail(): ReactElement {
  const [selection, setSelection] = useState<readonly CategoryId[]>([])
  return (
    <div className="recipe-panes">
      <CategoryList selectionMode="single" selection={selection} onSelectionChange={setSelection} />
      <section className="recipe-detail" aria-label="Selected category">
        <CategoryDetail id={selection[0]} />
      </section>
    </div>
  )
}

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
