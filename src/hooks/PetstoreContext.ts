import { createContext, useContext } from 'react'
import type { PetstoreError } from '../client/errors.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreLabels } from '../labels/en.ts'

/** Some of the texts. Those that are missing are English. */
export type PartialLabels<Group = PetstoreLabels> = {
  readonly [Name in keyof Group]?:
    | (Group[Name] extends string | ((...values: never) => string) ? Group[Name] : PartialLabels<Group[Name]>)
    | undefined
}

export interface PetstoreContextValue {
  readonly client: PetstoreClient
  /** Calls the latest `onError` of the provider. The function stays the same. */
  readonly reportFailure: (error: PetstoreError, handled: boolean) => void
  /** `undefined` stands for English: only components import the English labels, so that hooks stay small. */
  readonly labels: PartialLabels | undefined
  readonly locale: string | undefined
  /** How long a response counts as fresh, in ms. */
  readonly staleTime: number
}

export const PetstoreContext = /* @__PURE__ */ createContext<PetstoreContextValue | undefined>(undefined)

/** @throws Error if used outside `PetstoreProvider` */
export function usePetstoreContext(): PetstoreContextValue {
  const value = useContext(PetstoreContext)
  if (!value) throw new Error('No PetstoreProvider found. Wrap your app in <PetstoreProvider>.')
  return value
}
