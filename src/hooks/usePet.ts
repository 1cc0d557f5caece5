'use client'

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { useMemo } from 'react'
import { defineOperation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query, and: */
export interface UsePetOptions<Pet> extends UsePetstoreQueryOptions<NoInfer<Pet>> {
  /**
   * What a pet looks like, by any Standard Schema: the interface document does not show it. Define it once, outside of
   * components; all that read pets share one cache.
   */
  readonly schema: StandardSchemaV1<unknown, Pet>
}

/** What `usePet` gives: `data` is what the schema makes of the response. */
export type UsePetResult<Pet, Data = Pet | undefined> = UsePetstoreQueryResult<Pet, Data>

/**
 * One pet (`getPet`).
 *
 * @param petId - `null`: nothing is asked yet
 * @throws Error outside a `PetstoreProvider`
 * @deprecated The service marks GET /pets/{petId} as deprecated, with a sunset date that its interface document does not
 *   show. In development a warning gives the date once the service sends it.
 */
export function usePet<Pet>(
  petId: string,
  options: UsePetOptions<Pet> & { readonly suspense: true },
): UsePetResult<Pet, Pet>
export function usePet<Pet>(petId: string | null, options: UsePetOptions<Pet>): UsePetResult<Pet>
export function usePet<Pet>(petId: string | null, { schema, ...options }: UsePetOptions<Pet>): UsePetResult<Pet> {
  usePetstoreContext('usePet')
  const operation = useMemo(() => defineOperation({ ...operations.getPet, output: schema }), [schema])
  return usePetstoreQuery(operation, petId === null ? null : { petId }, options)
}
