/** Class names for the parts of the form. */
export interface CategoryFormClassNames {
  /** The summary of several problems, or of one that belongs to no field. */
  readonly summary?: string | undefined
  /** The box with label, hint, error and input of one field. */
  readonly field?: string | undefined
  readonly label?: string | undefined
  readonly hint?: string | undefined
  readonly fieldError?: string | undefined
  readonly input?: string | undefined
  /** The `ErrorNotice`. */
  readonly notice?: string | undefined
  /** The row of buttons. */
  readonly actions?: string | undefined
  readonly submit?: string | undefined
  readonly cancel?: string | undefined
  /** The line that says that the request waits, or which category was created. */
  readonly status?: string | undefined
  /** The button that shows the created category in the list. */
  readonly show?: string | undefined
}
