import { neverRespond } from '../../.storybook/faults.ts'
import type { PetstoreServiceOptions } from '../../src/testing.ts'

interface StallableService {
  /** `parameters.petstore` of the story. */
  readonly petstore: PetstoreServiceOptions & { readonly prepare: () => void }
  /** Leaves every later request pending. */
  readonly stall: () => void
}

/** A service that responds at once until the play function stalls it. Call it for each story. */
export function stallableService(): StallableService {
  let isStalled = false
  return {
    petstore: {
      latency: neverRespond.latency,
      sleep: () => (isStalled ? neverRespond.sleep() : Promise.resolve()),
      prepare: () => {
        isStalled = false
      },
    },
    stall: () => {
      isStalled = true
    },
  }
}
