import { createPetstoreClient, operations } from '../../src/client.ts'

const client = createPetstoreClient({ baseUrl: 'https://petstore.test/v1' })

// The input has the operation's type; it does not give it one.
// @ts-expect-error listCategories takes nothing
void client.call(operations.listCategories, { term: 'x' })
// @ts-expect-error createCategory takes a name
void client.call(operations.createCategory, { title: 'x' })
void client.call(operations.listCategories)
void client.call(operations.createCategory, { name: 'Dog' }, { priority: 'background' })
