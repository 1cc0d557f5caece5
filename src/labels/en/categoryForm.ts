import { isolate } from '../isolate.ts'
import { happensIn, waitReasons } from './waits.ts'

export const categoryForm = {
  /** Names the form for assistive technology. */
  title: 'New category',
  /** Replaces `title` on the button of a narrow `CategoryManager` while the form is open. */
  close: 'Close',
  name: 'Name',
  /** The hint below the label `name`. */
  nameHint: 'For example, Rabbit',
  description: 'Description',
  optional: '(optional)',
  submit: 'Create category',
  /** The submit button while the request is under way. */
  submitting: 'Creating…',
  /** The submit button while the request waits. */
  held: 'Waiting…',
  /** On the submit button until it works again. A wait of two minutes or more has a `time`, such as "at 4:15 PM". */
  submitIn: (wait: string, time?: string) => `Create ${time ?? `in ${wait}`}`,
  /** Why the request waits. */
  waitReasons,
  /** After the reason. `wait` is like "12 seconds". For two minutes or more, `time` is like "at 4:15 PM". */
  savingIn: /* @__PURE__ */ happensIn('Will be created'),
  /** Cancels a waiting request. */
  cancel: 'Cancel',
  /** Announced after a cancellation. */
  cancelled: 'Canceled. No category was created.',
  created: (categoryName: string) => `Created “${isolate(categoryName)}”.`,
  /** The button beside `created`, if a list has the category but does not show it. */
  show: 'Show',
  /** Replaces `created` if the response of the service could not be read. */
  createdUnread: (categoryName: string) =>
    `Created “${isolate(categoryName)}”, but the response couldn’t be read. The list shows it after a refresh.`,
  nameMissing: 'Enter a name.',
  /** The error of a name that the service or the schema refused. */
  nameInvalid: 'This name can’t be used.',
  descriptionInvalid: 'This description can’t be used.',
  /** The submit button after a failure that may have created the category, until a text changes. */
  createAnyway: 'Create anyway',
}
