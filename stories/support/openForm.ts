import { labelsOf } from './labelsOf.ts'
import type { PlayContext } from './PlayContext.ts'

/** Opens the form of a `CategoryManager` if it is behind a button, as on a docs page, where there is little room. */
export async function openForm(context: PlayContext): Promise<void> {
  const toggle = context.canvas.queryByRole('button', { name: labelsOf(context).categoryForm.title })
  if (toggle) await context.userEvent.click(toggle)
}
