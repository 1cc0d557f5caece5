import { newCategorySchema } from '../contract/category.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { newMessageSchema } from '../contract/message.ts'
import { operations } from '../contract/operations.ts'
import { type ServiceReply, errorResponse, jsonResponse, toResponse } from './ServiceReply.ts'
import type { CategoryStore } from './categoryStore.ts'
import type { MessageStore } from './messageStore.ts'
import type { ServiceOperation, ServiceRequest } from './ServiceOperation.ts'
import { writeJson } from './writeJson.ts'

/** What an operation may read and change. */
export interface Stores {
  readonly categories: CategoryStore
  readonly messages: MessageStore
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** An operation and the work it does. The request's body was checked against the operation's schema. */
export interface Handler {
  readonly operation: Operation
  readonly work: (request: ServiceRequest, stores: Stores) => ServiceReply | Promise<ServiceReply>
}

const { listCategories, createCategory, sendMessage } = operations

function successStatus({ success }: Operation): number {
  return success === 'any-2xx' ? 200 : (success[0] ?? 200)
}

/** The operations whose payloads the interface document shows. */
export const documentedHandlers: readonly Handler[] = [
  {
    operation: listCategories,
    work: (_, { categories }) => jsonResponse(successStatus(listCategories), categories.listText()),
  },
  {
    operation: createCategory,
    work: ({ body }, { categories }) =>
      jsonResponse(successStatus(createCategory), categories.create(newCategorySchema.parse(body))),
  },
  {
    operation: sendMessage,
    work({ body }, { messages, now }) {
      const message = messages.queue(newMessageSchema.parse(body), now())
      return jsonResponse(successStatus(sendMessage), JSON.stringify(message))
    },
  },
]

/** An operation that exists, but that the service cannot respond unless a test says what. */
export function undocumentedHandler(operation: Operation): Handler {
  const { name, method, path } = operation
  const message = `${method} ${path} exists, but its payload is not shown. Response it with the option "operations".`
  return { operation, work: () => errorResponse(404, 'not_found', `${name}: ${message}`) }
}

/** An operation that a test registered. What it throws becomes a 500, so that the test sees the reason. */
export function registeredHandler(registered: ServiceOperation): Handler {
  const { operation } = registered
  return {
    operation,
    async work(request) {
      try {
        const { status = successStatus(operation), body, headers } = await registered.handle(request)
        const response = body === undefined ? { status } : jsonResponse(status, writeJson(body))
        const complete: ServiceReply = { ...response, headers: { ...response.headers, ...headers } }
        toResponse(complete, {}) // Throws where status, headers and body do not go together.
        return complete
      } catch (error) {
        return errorResponse(500, 'handler_failed', `${operation.name}: ${String(error)}`)
      }
    },
  }
}
