import * as z from 'zod/mini'
import { type Category, categoryListSchema, categorySchema, type NewCategory, newCategorySchema } from './category.ts'
import { defineOperation, type Operation } from './defineOperation.ts'
import { type Message, messageSchema, type NewMessage, newMessageSchema } from './message.ts'

/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The document says no more of it. */
  readonly petId: string
}

const petInputSchema: z.ZodMiniType<PetInput, PetInput> = z.object({
  petId: z.string('expected a string').check(z.minLength(1, 'expected a pet identifier')),
})

/**
 * Every operation of the service, from its interface document ("Endpoints"). What the document does not show is left
 * open: the payloads of `getPet` and `listOrders` are `unknown`, and no operation has a stability marker.
 */
export const operations: {
  readonly listCategories: Operation<undefined, readonly Category[]>
  readonly createCategory: Operation<NewCategory, Category>
  readonly sendMessage: Operation<NewMessage, Message>
  readonly getPet: Operation<PetInput, unknown>
  readonly listOrders: Operation<undefined, unknown>
} = {
  listCategories: defineOperation({
    name: 'listCategories',
    path: '/categories',
    output: categoryListSchema,
    success: [200],
  }),
  createCategory: defineOperation({
    name: 'createCategory',
    method: 'POST',
    path: '/categories',
    input: newCategorySchema,
    output: categorySchema,
    success: [201],
  }),
  sendMessage: defineOperation({
    name: 'sendMessage',
    method: 'POST',
    path: '/messages',
    base: 'quickstart',
    input: newMessageSchema,
    output: messageSchema,
  }),
  getPet: defineOperation({
    name: 'getPet',
    path: '/pets/{petId}',
    input: petInputSchema,
    output: z.unknown(),
    deprecated: true,
  }),
  listOrders: defineOperation({ name: 'listOrders', path: '/store/orders', output: z.unknown() }),
}
