import { type ReactElement, useId, useRef, useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { type CategoryId, CategoryList } from '../../src/index.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import './Recipes.css'

/**
 * A `CategoryList` in a native `dialog`. The browser traps and restores focus, and Escape closes the dialog. The list
 * makes its announcements inside the dialog, where screen readers can reach them.
 */
function CategoryPicker(): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const [selection, setSelection] = useState<readonly CategoryId[]>([])
  const [chosenId, setChosenId] = useState<CategoryId>()
  const titleId = useId()

  function open(): void {
    setSelection(chosenId === undefined ? [] : [chosenId])
    dialog.current?.showModal()
  }

  function choose(): void {
    setChosenId(selection[0])
    dialog.current?.close()
  }

  return (
    <>
      <p>{chosenId === undefined ? 'No category chosen.' : `Chosen: number ${chosenId}.`}</p>
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

async function openAndSelect({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>): Promise<void> {
  await userEvent.click(canvas.getByRole('button', { name: 'Choose a category' }))
  await expect(canvas.getByRole('dialog', { name: 'Choose a category' })).toBeVisible()
  await userEvent.click(await canvas.findByRole('radio', { name: 'Rabbit' }))
  await waitFor(() => expect(canvas.getByRole('radio', { name: 'Rabbit' })).toBeChecked())
}

export const Open = meta.story({ play: openAndSelect })

/** Focus returns to the button that opened the dialog. */
export const Chosen = meta.story({
  play: async ({ canvas, userEvent }) => {
    await openAndSelect({ canvas, userEvent })
    await userEvent.click(canvas.getByRole('button', { name: 'Choose' }))
    await expect(canvas.getByText('Chosen: number 3.')).toBeVisible()
    await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument()
    await expect(canvas.getByRole('button', { name: 'Choose a category' })).toHaveFocus()
  },
})
