import createClient, { type Client } from 'openapi-fetch'
import { createPetstoreClient } from '../../../../src/client.ts'
import { createMemoryStore } from '../../../../src/rate-limit/stores/memoryStore.ts'
import { type Contender, type PageClient, type PageEnvironment, ResponseError } from '../Contender.ts'
import { createKy } from './ky.ts'

interface Paths {
  readonly '/pets/{petId}': {
    readonly get: {
      readonly parameters: { readonly path: { readonly petId: string } }
      readonly responses: {
        readonly 200: { readonly content: { readonly 'application/json': { readonly id: string } } }
      }
    }
  }
  readonly '/categories': {
    readonly post: {
      readonly requestBody: { readonly content: { readonly 'application/json': { readonly name: string } } }
      readonly responses: {
        readonly 201: { readonly content: { readonly 'application/json': { readonly id: number } } }
      }
    }
  }
}

/** Pages whose requests another library makes and the gate sends. Their tabs share a store, as in a browser. */
function startThroughGate(createPage: (page: PageEnvironment) => PageClient) {
  const rateLimitStore = createMemoryStore()
  return (page: PageEnvironment): PageClient => {
    const retry = page.waitsForever ? { maxWait: Number.POSITIVE_INFINITY } : {}
    const { fetch, close } = createPetstoreClient({ ...page, rateLimitStore, retry })
    return { ...createPage({ ...page, fetch }), close }
  }
}

export const kyThroughGate: Contender = {
  name: 'ky, `fetch: client.fetch`',
  settings: 'as ky, with `timeout: false`: the time that a request waits at the gate is no time-out',
  start: () =>
    startThroughGate((page) => {
      const client = createKy(page).extend({ timeout: false })
      return {
        get: (id) => client.get(`pets/${id}`).json(),
        post: (name) => client.post('categories', { json: { name } }).json(),
      }
    }),
}

export const openapiFetchThroughGate: Contender = {
  name: 'openapi-fetch, `fetch: client.fetch`',
  settings: 'no retries of its own',
  start: () =>
    startThroughGate(({ baseUrl, fetch }) => {
      const client: Client<Paths> = createClient<Paths>({ baseUrl, fetch })
      return {
        get: async (petId) => bodyOf(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
        post: async (name) => bodyOf(await client.POST('/categories', { body: { name } })),
      }
    }),
}

function bodyOf({ data, response }: { readonly data?: unknown; readonly response: Response }): unknown {
  if (!response.ok) throw new ResponseError(response)
  return data
}
