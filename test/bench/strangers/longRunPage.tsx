import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createPetstoreClient, operations } from '../../../src/client.ts'
import { CategoryList, PetstoreProvider, RateLimitBadge, useCategories, useCreateCategory } from '../../../src/index.ts'
import { reportingFetch } from './reportingFetch.ts'

/** How the calls of one load of a page have ended. */
export interface CallCounts {
  readonly begun: number
  readonly succeeded: number
  readonly failed: number
}

declare global {
  interface Window {
    /** Ends the calls, and resolves when all of them have settled. */
    stopCalls: () => Promise<CallCounts>
  }
}

const parameters = new URLSearchParams(location.search)
const load = parameters.get('load') ?? ''
const client = createPetstoreClient({
  baseUrl: `${parameters.get('server')}/v1`,
  apiKey: 'stranger',
  retry: { maxWait: 180_000 },
  fetch: reportingFetch,
})

/** Between two reads of a tab, in ms. Together with lists and new rows they want a little more than the limit. */
const readTime = 2_500
const createTime = 20_000
const pollTime = 5_000

const pending = new Set<Promise<unknown>>()
let isStopped = false
let calls = 0
let succeeded = 0
let failed = 0

function count(call: Promise<unknown>): void {
  calls += 1
  const settled = call
    .then(
      () => (succeeded += 1),
      () => (failed += 1),
    )
    .finally(() => pending.delete(settled))
  pending.add(settled)
}

window.stopCalls = async () => {
  isStopped = true
  while (pending.size > 0) await Promise.all(pending)
  return { begun: calls, succeeded, failed }
}

/** Reads and creates, as a busy person or a chatty app does. */
function Calls() {
  const { trigger } = useCreateCategory()
  useEffect(() => {
    const every = (time: number, call: () => Promise<unknown>) => {
      const timer = setInterval(() => !isStopped && count(call()), time)
      return () => clearInterval(timer)
    }
    const stopReads = every(readTime, () => client.call(operations.getPet, { petId: `${load}-${calls}` }))
    const stopCreates = every(createTime, () => trigger({ name: `${load}-${calls}` }))
    return () => {
      stopReads()
      stopCreates()
    }
  }, [trigger])
  return null
}

function PolledList() {
  const { data } = useCategories({ refreshInterval: pollTime })
  return <p>{data?.length} rows</p>
}

const root = document.querySelector('main')
if (root) {
  createRoot(root).render(
    <PetstoreProvider client={client}>
      <RateLimitBadge />
      <PolledList />
      <CategoryList />
      <Calls />
    </PetstoreProvider>,
  )
}
