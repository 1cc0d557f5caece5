import { expectTypeOf } from 'vitest'
import {
  type CallOptions,
  type Category,
  createPetstoreClient,
  type Message,
  type NewCategory,
  type NewMessage,
  type Operation,
  operations,
} from '../../src/client.ts'
import type { PetInput } from '../../src/contract/schemas.ts'

const client = createPetstoreClient({ baseUrl: 'https://petstore.test/v1' })

// The table keeps the input and output types of each operation.
expectTypeOf(operations.listCategories).toEqualTypeOf<Operation<undefined, readonly Category[]>>()
expectTypeOf(operations.createCategory).toEqualTypeOf<Operation<NewCategory, Category>>()
expectTypeOf(operations.sendMessage).toEqualTypeOf<Operation<NewMessage, Message>>()
expectTypeOf(operations.getPet).toEqualTypeOf<Operation<PetInput, unknown>>()
expectTypeOf(operations.listOrders).toEqualTypeOf<Operation<undefined, unknown>>()

// The operation decides the type of the input, not the other way round.
// @ts-expect-error: listCategories has no input
void client.call(operations.listCategories, { term: 'x' })
// @ts-expect-error: createCategory needs a name
void client.call(operations.createCategory, { title: 'x' })
void client.call(operations.listCategories)
void client.call(operations.createCategory, { name: 'Dog' }, { priority: 'background' })

// A method takes the input of its operation, if it has one, and the options of a call.
expectTypeOf(client.listCategories).parameters.toEqualTypeOf<[options?: CallOptions | undefined]>()
expectTypeOf(client.listCategories).returns.resolves.toEqualTypeOf<readonly Category[]>()
expectTypeOf(client.createCategory).parameters.toEqualTypeOf<
  [newCategory: NewCategory, options?: CallOptions | undefined]
>()
expectTypeOf(client.createCategory).returns.resolves.toEqualTypeOf<Category>()
expectTypeOf(client.sendMessage).parameters.toEqualTypeOf<[newMessage: NewMessage, options?: CallOptions | undefined]>()
expectTypeOf(client.sendMessage).returns.resolves.toEqualTypeOf<Message>()
// @ts-expect-error: the payload of getPet is not shown, so it has no method
void client.getPet
// @ts-expect-error: the table is read-only
operations.listOrders = operations.listCategories
