import { type ReactElement, useId, useRef, useState } from 'react'
import { type CategoryId, CategoryList } from '../../src/index.ts'
import './Recipes.css'

/**
 * A `CategoryList` in a native `dialog`. The browser traps and restores focus, and Escape closes the dialog. The list
 * makes its announcements inside the dialog, where screen readers can reach them. A heading and a button stand before the
 * search box: the screen reader Orca says nothing about a text field that gets the focus as the dialog opens, and takes
 * letters as commands.
 */
export function CategoryPicker(): ReactElement {
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
        <div className="recipe-dialog-header">
          <h2 id={titleId}>Choose a category</h2>
          <button type="button" className="petstore-button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
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
        </div>
      </dialog>
    </>
  )
}
