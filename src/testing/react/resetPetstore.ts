import { SWRConfig } from 'swr'
import { forgetClients } from '../../hooks/acquireClient.ts'
import { removeCached } from '../../hooks/queries.ts'
import { dropMemoryStore } from '../../rate-limit/stores/memoryStore.ts'

/**
 * Forgets what outlives a component: clients, request limits in memory, data in SWR's default cache, pending announcements,
 * and drafts (every entry of both storages whose name starts with `petstore:` or `petstore-`). Call it after each test with
 * a provider of its own, when all has unmounted. `renderWithPetstore` and `createPetstoreWrapper` need it for drafts alone.
 *
 * @example
 * afterEach(() => {
 *   cleanup()
 *   resetPetstore()
 * })
 */
export function resetPetstore(): void {
  forgetClients()
  dropMemoryStore()
  removeCached(SWRConfig.defaultValue.cache)
  for (const storage of [sessionStorage, localStorage]) {
    const names = Object.keys(storage).filter((name) => /^petstore[:-]/.test(name))
    for (const name of names) storage.removeItem(name)
  }
  dropAnnouncers()
}

/**
 * Moves the live regions to a document that nobody sees. If they were only removed, a pending message would be announced in the
 * next test's page.
 */
export function dropAnnouncers(): void {
  const hiddenDocument = document.implementation.createHTMLDocument()
  for (const announcer of document.querySelectorAll('.petstore-announcer')) hiddenDocument.adoptNode(announcer)
}
