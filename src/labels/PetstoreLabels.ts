import type { PetstoreError } from '../client/errors.ts'

/** What people are told about one kind of error. */
export interface ErrorLabels {
  readonly title: string
  /** What they can do about it. */
  readonly advice: string
}

/** Every word that the components show. */
export interface PetstoreLabels {
  readonly categoryList: {
    /** Names the list for assistive technology. */
    readonly name: string
    readonly loading: string
    readonly empty: string
  }
  readonly retry: string
  readonly errors: Readonly<Record<PetstoreError['kind'], ErrorLabels>>
  /** For what is no `PetstoreError`, such as a cancelled request. */
  readonly otherError: ErrorLabels
}
