import { categoryForm } from './CategoryForm.ts'
import { categoryList } from './CategoryList.ts'
import { categoryManager } from './CategoryManager.ts'
import type { ComponentFacts } from './ComponentFacts.ts'
import { errorNotice } from './ErrorNotice.ts'
import { messageComposer } from './MessageComposer.ts'
import { rateLimitBadge } from './RateLimitBadge.ts'

/** The facts about each component, by its name. */
export const allFacts: Readonly<Record<string, ComponentFacts>> = {
  CategoryList: categoryList,
  CategoryForm: categoryForm,
  CategoryManager: categoryManager,
  MessageComposer: messageComposer,
  RateLimitBadge: rateLimitBadge,
  ErrorNotice: errorNotice,
}
