import { type ReactElement, useState } from 'react'
import { CategoryPicker } from '../../stories/recipes/CategoryPicker.tsx'
import { CategoryForm, CategoryList, CategoryManager, MessageComposer, RateLimitBadge } from '../../src/index.ts'

/** The pages of the flows. */
export const scenes = {
  list: <CategoryList selectionMode="multiple" />,
  plainList: <CategoryList />,
  form: <CategoryForm />,
  formInDialog: <FormInDialog />,
  manager: <CategoryManager />,
  composer: <MessageComposer maxLength={20} />,
  badge: (
    <>
      <RateLimitBadge />
      <CategoryList filterable={false} />
    </>
  ),
  picker: <CategoryPicker />,
} satisfies Record<string, ReactElement>

/** A form after a heading and a button, as the list is in the recipe "List in a dialog". */
function FormInDialog(): ReactElement {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)
  return (
    <>
      <button type="button" onClick={() => dialog?.showModal()}>
        Open
      </button>
      <dialog ref={setDialog} aria-label="Dialog">
        <h2>Dialog</h2>
        <button type="button" onClick={() => dialog?.close()}>
          Close
        </button>
        <CategoryForm />
      </dialog>
    </>
  )
}
