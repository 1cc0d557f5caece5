import { categoryForm } from './en/categoryForm.ts'
import { categoryList } from './en/categoryList.ts'
import { errorNotice } from './en/errorNotice.ts'
import { messageComposer } from './en/messageComposer.ts'
import { rateLimitBadge } from './en/rateLimitBadge.ts'

/** English, the default. Each component has its own file, so that an app loads only those of its components. */
export const en = {
  /** BCP 47 tag. Formats numbers and times if the provider has no `locale`. */
  locale: 'en',
  /** The labels of `CategoryForm`. */
  categoryForm,
  /** The labels of `CategoryList`. */
  categoryList,
  /** The labels of `ErrorNotice`. */
  errorNotice,
  /** The labels of `MessageComposer`. */
  messageComposer,
  /** The labels of `RateLimitBadge`. */
  rateLimitBadge,
}

/** The type of the labels in any language: mapped from the English ones, so that editors show the comment of each. */
type Labels<Group> = Group extends string
  ? string
  : Group extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Group]: Labels<Group[Name]> }

/** All texts that the components show, in one language. For your own language: the compiler says what is missing. */
export type PetstoreLabels = Labels<typeof en>
/** The labels of `CategoryForm`. */
export type CategoryFormLabels = PetstoreLabels['categoryForm']
/** The labels of `CategoryList`. */
export type CategoryListLabels = PetstoreLabels['categoryList']
/** The labels of `ErrorNotice`. */
export type ErrorNoticeLabels = PetstoreLabels['errorNotice']
/** The labels of `MessageComposer`. */
export type MessageComposerLabels = PetstoreLabels['messageComposer']
/** The labels of `RateLimitBadge`. */
export type RateLimitBadgeLabels = PetstoreLabels['rateLimitBadge']
