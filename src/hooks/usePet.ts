'use client'

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { useMemo } from 'react'
import { defineOperation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { usePetstoreQuery, type UsePetstoreQueryOptions, type UsePetstoreQueryResult } from './usePetstoreQuery.ts'

/** The options of every query, and `schema`. */
export interface UsePetOptions<Pet> extends UsePetstoreQueryOptions<NoInfer<Pet>> {
  /**
   * Describes a pet, in any Standard Schema library: the interface document does not show it. Define it once, outside of
   * components: all components that read the same pet share one cache entry.
   */
  readonly schema: StandardSchemaV1<unknown, Pet>
}

/** The result of `usePet`: `data` is the output of the schema. */
export type UsePetResult<Pet, Data = Pet | undefined> = UsePetstoreQueryResult<Pet, Data>

/**
 * Loads one pet (`getPet`).
 *
 * @param petId - `null` sends no request
 * @throws Error if used outside `PetstoreProvider`
 * @deprecated The service marks GET /pets/{petId} as deprecated. The interface document does not show its sunset date; in
 *   development, a warning shows the date when the service sends it.
 */
export function usePet<Pet>(
  petId: string,
  options: UsePetOptions<Pet> & { readonly suspense: true },
): UsePetResult<Pet, Pet>
export function usePet<Pet>(petId: string | null, options: UsePetOptions<Pet>): UsePetResult<Pet>
export function usePet<Pet>(petId: string | null, { schema, ...options }: UsePetOptions<Pet>): UsePetResult<Pet> {
  const operation = useMemo(() => defineOperation({ ...operations.getPet, output: schema }), [schema])
  return usePetstoreQuery(operation, petId === null ? null : { petId }, options)
}
