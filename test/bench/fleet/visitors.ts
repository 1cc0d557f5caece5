import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstoreClient } from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import type { PetstoreHandler } from '../../../src/server.ts'
import { watchPromises } from '../../server/watchPromises.ts'
import type { VisitorReport } from './Work.ts'

/** The header that names a visitor. */
export const visitorHeader = 'X-Visitor'

export interface Visitors {
  readonly report: () => VisitorReport
  /** Visits until `isOver`. Each visitor is a page of its own, with the client of this package, and stays with the handler. */
  readonly visit: (handler: PetstoreHandler, count: number, pause: number, isOver: () => boolean) => Promise<void>
}

/** Time for the last responses, in ms. */
const lastResponses = 1_000

export function createVisitors(): Visitors {
  const counts = { served: 0, refused: 0, againstUnits: 0, afterWait: 0 }

  async function visitOften(handler: PetstoreHandler, name: string, pause: number, isOver: () => boolean) {
    const send = async (request: Request) => {
      const { url, method, headers } = request
      const named = new Headers(headers)
      named.set(visitorHeader, name)
      return handler(new Request(url, { method, headers: named, body: await request.text() }))
    }
    const page = createPetstoreClient({
      baseUrl: 'http://app.test/api/petstore/v1',
      rateLimitStore: createMemoryStore(),
      fetch: watchPromises(send, Date.now, {
        onResponse: (status) => {
          if (status === 201) counts.served += 1
          if (status === 429) counts.refused += 1
        },
        onBroken: ({ against }) => {
          counts[against === 'units' ? 'againstUnits' : 'afterWait'] += 1
        },
      }),
    })
    await sleep(pause * Math.random())
    while (!isOver()) {
      void page.createCategory({ name }).catch(() => {})
      await sleep(pause * (0.5 + Math.random()))
    }
    await sleep(lastResponses)
    page.close()
  }

  return {
    report: () => ({ ...counts }),
    visit: async (handler, count, pause, isOver) => {
      const names = Array.from({ length: count }, (_, index) => `visitor ${index}`)
      await Promise.all(names.map((name) => visitOften(handler, name, pause, isOver)))
    },
  }
}
