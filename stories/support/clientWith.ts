import { createPetstoreClient, InputValidationError, type PetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/** A client of a mock service, with some of its functions replaced. */
export const clientWith = (replaced: Partial<PetstoreClient>): PetstoreClient => ({
  ...createPetstoreClient(createPetstoreService().providerProps()),
  ...replaced,
})

/** A client that rejects whatever a category form submits, with a problem of each of its two fields. */
export function createRefusingClient(): PetstoreClient {
  const issues = ['name', 'description'].map((field) => ({ message: 'unexpected value', path: [field] }))
  const reject = () => Promise.reject(new InputValidationError({ operation: 'createCategory', attempts: 0 }, issues))
  return clientWith({ createCategory: reject })
}
