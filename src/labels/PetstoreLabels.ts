import type { CategoryFormLabels } from './CategoryFormLabels.ts'
import type { CategoryListLabels } from './CategoryListLabels.ts'
import type { ErrorNoticeLabels } from './ErrorNoticeLabels.ts'
import type { MessageComposerLabels } from './MessageComposerLabels.ts'
import type { RateLimitBadgeLabels } from './RateLimitBadgeLabels.ts'

/** Every word that the components show, in one language. */
export interface PetstoreLabels {
  /** BCP 47 tag: how numbers and times are written where the provider names no `locale`. */
  readonly locale: string
  /** The words of `CategoryForm`. */
  readonly categoryForm: CategoryFormLabels
  /** The words of `CategoryList`. */
  readonly categoryList: CategoryListLabels
  /** The words of `ErrorNotice`. */
  readonly errorNotice: ErrorNoticeLabels
  /** The words of `MessageComposer`. */
  readonly messageComposer: MessageComposerLabels
  /** The words of `RateLimitBadge`. */
  readonly rateLimitBadge: RateLimitBadgeLabels
}
