import type { CategoryFormLabels } from './CategoryFormLabels.ts'
import type { CategoryListLabels } from './CategoryListLabels.ts'
import type { ErrorNoticeLabels } from './ErrorNoticeLabels.ts'
import type { MessageComposerLabels } from './MessageComposerLabels.ts'
import type { RateLimitBadgeLabels } from './RateLimitBadgeLabels.ts'

/** All texts that the components show, in one language. */
export interface PetstoreLabels {
  /** BCP 47 tag. Formats numbers and times if the provider has no `locale`. */
  readonly locale: string
  /** The labels of `CategoryForm`. */
  readonly categoryForm: CategoryFormLabels
  /** The labels of `CategoryList`. */
  readonly categoryList: CategoryListLabels
  /** The labels of `ErrorNotice`. */
  readonly errorNotice: ErrorNoticeLabels
  /** The labels of `MessageComposer`. */
  readonly messageComposer: MessageComposerLabels
  /** The labels of `RateLimitBadge`. */
  readonly rateLimitBadge: RateLimitBadgeLabels
}
