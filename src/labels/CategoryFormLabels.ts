/** The words of `CategoryForm`. */
export interface CategoryFormLabels {
  /** Names the form for assistive technology. */
  readonly title: string
  readonly name: string
  readonly nameHint: string
  readonly description: string
  readonly descriptionHint: string
  /** After the label of a field that may stay empty. */
  readonly optional: string
  readonly submit: string
  readonly submitting: string
  /** Why the request is held back. */
  readonly rateLimited: string
  /** After `rateLimited`; `wait` such as "12 seconds". */
  readonly savingIn: (wait: string) => string
  /** Calls off a request that is held back. */
  readonly cancel: string
  /** Said when that was done. */
  readonly cancelled: string
  readonly created: (categoryName: string) => string
  /** Above the summary of what is wrong. */
  readonly problems: string
  readonly nameMissing: string
  /** The service or the schema does not accept the name. */
  readonly nameInvalid: string
  readonly descriptionInvalid: string
  /** Beside the advice, where the service may have created the category although the call failed. */
  readonly mayHaveBeenCreated: string
  /** In place of "Try again" there. */
  readonly createAnyway: string
}
