export type DraftProblem = 'empty' | 'too-long'

/** Why a text cannot be sent. Its length is counted like `maxlength` in HTML. */
export function draftProblem(draft: string, limit: number): DraftProblem | undefined {
  if (draft.trim() === '') return 'empty'
  return draft.length > limit ? 'too-long' : undefined
}
