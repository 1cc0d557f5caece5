import { type Context, createContext, useContext } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreLabels } from '../labels/PetstoreLabels.ts'

export interface PetstoreContextValue {
  readonly client: PetstoreClient
  /** `undefined`: English, which only what shows words brings along. */
  readonly labels: PetstoreLabels | undefined
  readonly locale: string | undefined
}

export const PetstoreContext: Context<PetstoreContextValue | undefined> = createContext<
  PetstoreContextValue | undefined
>(undefined)

/** @throws Error outside a `PetstoreProvider` */
export function usePetstoreContext(caller: string): PetstoreContextValue {
  const value = useContext(PetstoreContext)
  if (!value) throw new Error(`${caller} needs a <PetstoreProvider> around it.`)
  return value
}
