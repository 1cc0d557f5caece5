import type { CategoryFormLabels } from './CategoryFormLabels.ts'
import type { CategoryListLabels } from './CategoryListLabels.ts'
import type { ErrorNoticeLabels } from './ErrorNoticeLabels.ts'
import type { MessageComposerLabels } from './MessageComposerLabels.ts'
import type { RateLimitBadgeLabels } from './RateLimitBadgeLabels.ts'

/** Every word that the components show, in one language. */
export interface PetstoreLabels {
  /** BCP 47 tag: how numbers and times are written where the provider names no `locale`. */
  readonly locale: string
  readonly categoryForm: CategoryFormLabels
  readonly categoryList: CategoryListLabels
  readonly errorNotice: ErrorNoticeLabels
  readonly messageComposer: MessageComposerLabels
  readonly rateLimitBadge: RateLimitBadgeLabels
}
