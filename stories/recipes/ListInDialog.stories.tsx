import { type ReactElement, useId, useRef, useState } from 'react'
import { expect, waitFor, type within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { type CategoryId, CategoryList } from '../../src/index.ts'
import './Recipes.css'

/**
 * A `CategoryList` in a native `dialog`: the browser keeps the focus in it and gives it back, Escape closes it, and what
 * the list announces is announced inside of it.
 */
function CategoryPicker(): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const [selection, setSelection] = useState<readonly CategoryId[]>([])
  const [chosen, setChosen] = useState<CategoryId>()
  const titleId = useId()

  function open(): void {
    setSelection(chosen === undefined ? [] : [chosen])
    dialog.current?.showModal()
  }

  function choose(): void {
    setChosen(selection[0])
    dialog.current?.close()
  }

  return (
    <>
      <p>{chosen === undefined ? 'No category chosen.' : `Chosen: number ${chosen}.`}</p>
      <button type="button" className="petstore-button" onClick={open}>
        Choose a category
      </button>
      <dialog ref={dialog} className="recipe-dialog" aria-labelledby={titleId}>
        <h2 id={titleId}>Choose a category</h2>
        <CategoryList
          aria-labelledby={titleId}
          order="name"
          selectionMode="single"
          selection={selection}
          onSelectionChange={setSelection}
        />
        <div className="recipe-buttons">
          <button type="button" className="petstore-button petstore-button-primary" onClick={choose}>
            Choose
          </button>
          <button type="button" className="petstore-button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}

const meta = preview.meta({
  title: 'Recipes/List in a dialog',
  component: CategoryPicker,
  parameters: { docs: { story: { inline: false, height: '34rem' } } },
})

interface Stage {
  readonly canvas: ReturnType<typeof within>
  readonly userEvent: { readonly click: (element: Element) => Promise<void> }
}

async function openAndSelect({ canvas, userEvent }: Stage): Promise<void> {
  await userEvent.click(canvas.getByRole('button', { name: 'Choose a category' }))
  await expect(canvas.getByRole('dialog', { name: 'Choose a category' })).toBeVisible()
  await userEvent.click(await canvas.findByRole('radio', { name: 'Rabbit' }))
  await waitFor(() => expect(canvas.getByRole('radio', { name: 'Rabbit' })).toBeChecked())
}

export const Open = meta.story({ play: openAndSelect })

export const Chosen = meta.story({
  play: async (stage) => {
    await openAndSelect(stage)
    const { canvas, userEvent } = stage
    await userEvent.click(canvas.getByRole('button', { name: 'Choose' }))
    await expect(canvas.getByText('Chosen: number 3.')).toBeVisible()
    await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument()
    await expect(canvas.getByRole('button', { name: 'Choose a category' })).toHaveFocus()
  },
})
