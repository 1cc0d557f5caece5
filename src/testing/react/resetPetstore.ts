import { SWRConfig } from 'swr'
import { endClients } from '../../hooks/acquireClient.ts'
import { removeCached } from '../../hooks/queries.ts'
import { dropMemoryStore } from '../../rate-limit/stores/memoryStore.ts'

/**
 * Forgets what the package keeps beyond a component, for tests that render a provider of their own: clients, the rate limits in
 * memory, what is in SWR's default cache, drafts, and what is about to be spoken. Call it after each test, when everything
 * has unmounted. `renderWithPetstore` and `createPetstoreWrapper` need it only for drafts.
 *
 * @example
 * afterEach(resetPetstore)
 */
export function resetPetstore(): void {
  endClients()
  dropMemoryStore()
  removeCached(SWRConfig.defaultValue.cache)
  for (const storage of [sessionStorage, localStorage]) {
    const names = Object.keys(storage).filter((name) => /^petstore[:-]/.test(name))
    for (const name of names) storage.removeItem(name)
  }
  dropAnnouncers()
}

/** Takes what is spoken out of the page, and what is about to be spoken: the next test must not find it. */
export function dropAnnouncers(): void {
  const elsewhere = document.implementation.createHTMLDocument()
  for (const announcer of document.querySelectorAll('.petstore-announcer')) elsewhere.adoptNode(announcer)
}
