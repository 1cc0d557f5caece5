import type { Category } from './category.ts'
import { defineOperation } from './defineOperation.ts'
import { readCategoryList } from './readCategoryList.ts'
import * as schemas from './schemas.ts'

const categories: schemas.PlainSchema<unknown, readonly Category[]> = {
  ...schemas.categoriesSchema,
  readQuickly: readCategoryList,
}

/**
 * The operations whose payloads the interface document shows ("Endpoints"). The client has a method for each of them,
 * and the in-memory service a handler; a comment here is the method's documentation.
 */
export const documentedOperations = {
  /** Lists all categories, in the order of the service. */
  listCategories: defineOperation({ name: 'listCategories', path: '/categories', output: categories, success: [200] }),
  /** Creates a category. The service assigns its id. */
  createCategory: defineOperation({
    name: 'createCategory',
    method: 'POST',
    path: '/categories',
    input: schemas.newCategorySchema,
    output: schemas.categorySchema,
    success: [201],
  }),
  /** Sends a message. The status `queued` means that the service accepted it, not that it was delivered. */
  sendMessage: defineOperation({
    name: 'sendMessage',
    method: 'POST',
    path: '/messages',
    base: 'quickstart',
    input: schemas.newMessageSchema,
    output: schemas.messageSchema,
  }),
} as const

/**
 * Every operation of the service, from its interface document ("Endpoints"). The document does not show the payloads of
 * `getPet` and `listOrders`, so they are `unknown`. It does not say which operations have a stability marker, so none
 * has one.
 */
export const operations = {
  ...documentedOperations,
  /**
   * Reads a pet.
   *
   * @deprecated The service marks GET /pets/{petId} as deprecated.
   */
  getPet: defineOperation({
    name: 'getPet',
    path: '/pets/{petId}',
    input: schemas.petInputSchema,
    output: schemas.anything,
    deprecated: true,
  }),
  /** Lists the orders of the store. */
  listOrders: defineOperation({ name: 'listOrders', path: '/store/orders', output: schemas.anything }),
} as const
