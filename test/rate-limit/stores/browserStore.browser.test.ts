import { entries, createStore, set } from 'idb-keyval'
import { expect, it, vi } from 'vitest'
import { createBrowserStore } from '../../../src/rate-limit/stores/browserStore.ts'

// Two stores stand for two tabs: each has connections of its own to the database and the channel.
const day = 86_400_000
let names = 0
const freshName = () => `record ${names++}`
const countIn = (stored: unknown) => (typeof stored === 'number' ? stored : 0)

it('loses no update of parallel tabs', async () => {
  const name = freshName()
  const tabs = [createBrowserStore(), createBrowserStore(), createBrowserStore()]
  const increment = (stored: unknown) => countIn(stored) + 1
  const increments = Array.from({ length: 70 }, () => tabs.map((tab) => tab.update(name, increment)))
  await Promise.all(increments.flat())
  let total: unknown
  await tabs[0]?.update(name, (stored) => {
    total = stored
    return stored
  })
  expect(total).toBe(210)
})

it('keeps a record for the next page', async () => {
  const name = freshName()
  await createBrowserStore().update(name, () => ({ updatedAt: 1, cooldownUntil: 2 }))
  let found: unknown
  await createBrowserStore().update(name, (stored) => {
    found = stored
    return stored
  })
  expect(found).toEqual({ updatedAt: 1, cooldownUntil: 2 })
})

it('carries a new record to the other tabs and to others in its own, under its name only', async () => {
  const [name, otherName] = [freshName(), freshName()]
  const [here, there] = [createBrowserStore(), createBrowserStore()]
  const [heardHere, heardThere, heardElsewhere] = [
    vi.fn<(stored: unknown) => void>(),
    vi.fn<(stored: unknown) => void>(),
    vi.fn<(stored: unknown) => void>(),
  ]
  const stop = [
    here.subscribe(name, heardHere),
    there.subscribe(name, heardThere),
    there.subscribe(otherName, heardElsewhere),
  ]
  await here.update(name, () => ({ updatedAt: 5 }))
  await expect.poll(() => heardThere.mock.calls).toEqual([[{ updatedAt: 5 }]])
  expect(heardHere.mock.calls).toEqual([[{ updatedAt: 5 }]])
  expect(heardElsewhere).not.toHaveBeenCalled()
  for (const unsubscribe of stop) unsubscribe()
})

it('is silent when nothing has changed, and after unsubscribing', async () => {
  const name = freshName()
  const [here, there] = [createBrowserStore(), createBrowserStore()]
  const heard = vi.fn<(stored: unknown) => void>()
  const unsubscribe = there.subscribe(name, heard)
  await here.update(name, (stored) => stored)
  unsubscribe()
  await here.update(name, () => ({ updatedAt: 6 }))
  const last = vi.fn<(stored: unknown) => void>()
  const stop = there.subscribe(name, last)
  await here.update(name, () => ({ updatedAt: 7 }))
  await expect.poll(() => last.mock.calls).toEqual([[{ updatedAt: 7 }]])
  expect(heard).not.toHaveBeenCalled()
  stop()
})

it('leaves strangers’ messages on the channel alone', async () => {
  const name = freshName()
  const store = createBrowserStore()
  const heard = vi.fn<(stored: unknown) => void>()
  const stop = store.subscribe(name, heard)
  const stranger = new BroadcastChannel('petstore-rate-limit')
  for (const message of [null, 'text', { name }, { record: 1 }, { name: 3, record: 1 }]) stranger.postMessage(message)
  stranger.postMessage({ name, record: 'the last' })
  await expect.poll(() => heard.mock.calls).toEqual([['the last']])
  stranger.close()
  stop()
})

it('sweeps records that nothing was heard of for two days', async () => {
  const database = createStore('petstore-rate-limit', 'records')
  const now = 100 * day
  const [old, young, name] = [freshName(), freshName(), freshName()]
  await set(old, { updatedAt: now - 3 * day }, database)
  await set(young, { updatedAt: now - day }, database)
  await createBrowserStore().update(name, () => ({ updatedAt: now }))
  const left = (await entries(database)).map(([key]) => key)
  expect(left).toContain(young)
  expect(left).toContain(name)
  expect(left).not.toContain(old)
})
