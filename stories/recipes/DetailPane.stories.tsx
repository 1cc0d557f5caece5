import { type ReactElement, useState } from 'react'
import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { type CategoryId, CategoryList, useCategories } from '../../src/index.ts'
import './Recipes.css'

function CategoryDetail({ id }: { readonly id: CategoryId | undefined }): ReactElement {
  // The rows that the list shows: asking for them here sends no request.
  const { data } = useCategories()
  const category = data?.find((candidate) => candidate.id === id)
  if (!category) return <p>Select a category to see more of it.</p>
  return (
    <>
      <h2 dir="auto">{category.name}</h2>
      <p dir="auto">{category.description ?? 'No description.'}</p>
      <p>Number {category.id}</p>
    </>
  )
}

/** What is selected in a `CategoryList` decides what is shown beside it. Ids are text: they are exact past 2^53. */
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
    await expect(canvas.getByText('Select a category to see more of it.')).toBeVisible()
  },
})

export const Selected = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('radio', { name: 'Rabbit' }))
    await expect(canvas.getByRole('heading', { name: 'Rabbit' })).toBeVisible()
    await expect(canvas.getByText('Number 9007199254740993')).toBeVisible()
  },
})
