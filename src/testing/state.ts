import { type Admission, createAdmission } from './admission.ts'
import { createCategoryStore } from './categoryStore.ts'
import type { Fault } from './faults.ts'
import type { Stores } from './handlers.ts'
import { createMessageStore } from './messageStore.ts'
import type { Settings } from './readOptions.ts'

/** All that a service remembers, but for its journal. */
export interface Memory extends Stores {
  readonly admission: Admission
  /** What is to go wrong with the next requests, one fault each. */
  readonly faults: Fault[]
}

export function createState(settings: Settings): Memory {
  return {
    admission: createAdmission(settings),
    categories: createCategoryStore(settings.categories, settings.firstId),
    messages: createMessageStore(),
    faults: [],
    now: settings.now,
  }
}
