import { labelsOf } from './labelsOf.ts'
import type { PlayContext } from './PlayContext.ts'

/** Opens the form of a manager where there is little room, as in the frames of a docs page: there it is behind a button. */
export async function openForm(context: PlayContext): Promise<void> {
  const toggle = context.canvas.queryByRole('button', { name: labelsOf(context).categoryForm.title })
  if (toggle) await context.userEvent.click(toggle)
}
