import { alwaysFail } from '../../.storybook/faults.ts'
import type { Fault, PetstoreService } from '../../src/testing.ts'

interface FailableService {
  /** `parameters.petstore` of the story. */
  readonly petstore: { readonly prepare: (service: PetstoreService) => void }
  /** Makes every later request fail. */
  readonly fail: (fault: Fault) => void
}

/** A service that works until the play function makes it fail. Call it for each story: a docs page shows several at once. */
export function failableService(): FailableService {
  let current: PetstoreService | undefined
  return {
    petstore: { prepare: (service) => (current = service) },
    fail: (fault) => current && alwaysFail(fault)(current),
  }
}
