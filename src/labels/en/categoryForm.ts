import { isolate } from '../isolate.ts'
import { happensIn, waitReasons } from './waits.ts'

/** The English labels of `CategoryForm`, apart from the others: an app loads only those of its components. */
export const categoryForm = {
  /** Names the form for assistive technology. */
  title: 'New category',
  /** Replaces `title` on the button of a narrow `CategoryManager` while the form is open. */
  close: 'Close',
  /** The label of the field for the name. */
  name: 'Name',
  /** Below that label. */
  nameHint: 'For example, Rabbit',
  /** The label of the field for the description. */
  description: 'Description',
  /** Follows the label of an optional field. */
  optional: '(optional)',
  /** The submit button. */
  submit: 'Create category',
  /** The submit button while the request is under way. */
  submitting: 'Creating…',
  /** The submit button while the request waits. */
  held: 'Waiting…',
  /** On the submit button while the service wants nothing; long waits have a `time` such as "at 4:15 PM" instead. */
  submitIn: (wait: string, time?: string) => `Create ${time ?? `in ${wait}`}`,
  /** Why the request waits: for the rate limit, the connection, the service, or other tabs. */
  waitReasons,
  /**
   * Follows the reason; `wait` is a text such as "12 seconds", and `time`, for long waits, such as "at 4:15 PM". Depends on
   * the reason, and on whether it may also take longer.
   */
  savingIn: /* @__PURE__ */ happensIn('Will be created'),
  /** Cancels a waiting request. */
  cancel: 'Cancel',
  /** Announced after a cancellation. */
  cancelled: 'Canceled. No category was created.',
  /** Shown and announced when the category has been created. */
  created: (categoryName: string) => `Created “${isolate(categoryName)}”.`,
  /** The button beside `created`, if no list shows the category at the moment. */
  show: 'Show',
  /** If the service created it, but its response could not be read. */
  createdUnread: (categoryName: string) =>
    `Created “${isolate(categoryName)}”, but the response couldn’t be read. The list shows it after a refresh.`,
  /** The error of an empty name. */
  nameMissing: 'Enter a name.',
  /** The service or the schema did not accept the name. */
  nameInvalid: 'This name can’t be used.',
  /** The service or the schema did not accept the description. */
  descriptionInvalid: 'This description can’t be used.',
  /** The submit button if the service may have created the category although the call failed, until the text is changed. */
  createAnyway: 'Create anyway',
}
