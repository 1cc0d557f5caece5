import { hasFields } from '../../contract/fields.ts'

/** The text in the field, as it survives a reload. */
export interface Draft {
  readonly text: string
  /** Whether all or some of it may have been sent. */
  readonly mayBeSent: boolean
}

export const blankDraft: Draft = { text: '', mayBeSent: false }

/** In characters. Other code can write to the storage too, and a browser may take seconds to show a field with so many lines. */
const maxLength = 50_000

/** Reads the draft from the tab's session storage; a blank one if there is none, or if it cannot be read. */
export function readDraft(key: string): Draft {
  try {
    const stored = sessionStorage.getItem(key) ?? ''
    const draft: unknown = JSON.parse(stored)
    if (!hasFields(draft)) return blankDraft
    const { text, mayBeSent } = draft
    const isDraft = typeof text === 'string' && typeof mayBeSent === 'boolean' && text.length <= maxLength
    return isDraft ? { text, mayBeSent } : blankDraft
  } catch {
    return blankDraft
  }
}

/** @returns the text that is stored then: a very long one is not */
export function storeDraft(key: string, draft: Draft): string {
  try {
    // Removed first: if the storage is full, an old draft would remain, with texts that have been sent since.
    sessionStorage.removeItem(key)
    if (draft.text === '' || draft.text.length > maxLength) return ''
    sessionStorage.setItem(key, JSON.stringify(draft))
    return draft.text
  } catch {
    return ''
  }
}
