import { createPetstoreClient, InputValidationError, type PetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/** A client with functions of its own. */
export const clientWith = (own: Partial<PetstoreClient>): PetstoreClient => ({
  ...createPetstoreClient(createPetstoreService().providerProps()),
  ...own,
})

/** A client that refuses whatever a form sends, at both fields. */
export function createRefusingClient(): PetstoreClient {
  const issues = ['name', 'description'].map((field) => ({ message: 'unexpected value', path: [field] }))
  const refuse = () => Promise.reject(new InputValidationError({ operation: 'createCategory', attempts: 0 }, issues))
  return clientWith({ createCategory: refuse })
}
