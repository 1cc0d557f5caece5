import { type Admission, createAdmission } from './admission.ts'
import { createCategoryResource } from './categoryResource.ts'
import type { Fault } from './faults.ts'
import type { Handler, Handlers } from './handlers.ts'
import { createMessageResource } from './messageResource.ts'
import type { Settings } from './readOptions.ts'

/** Everything a service remembers, except the requests it recorded. `reset` replaces it. */
export type ServiceState = ReturnType<typeof createState>

export function createState(settings: Settings) {
  const categories = createCategoryResource(settings.categories, settings.firstId)
  const messages = createMessageResource(settings.now)
  const handlers: Handlers = { ...categories.handlers, ...messages.handlers }
  const admission: Admission = createAdmission(settings)
  /** One fault for each of the next requests. */
  const faults: Fault[] = []
  return {
    admission,
    faults,
    categories: categories.all,
    messages: messages.all,
    /** By the operation's name. */
    handlers: new Map<string, Handler>(Object.entries(handlers)),
  }
}
