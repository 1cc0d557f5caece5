import { expectTypeOf } from 'vitest'
import * as z from 'zod/mini'
import {
  type Category,
  defineOperation,
  int64,
  operations,
  type PetstoreError,
  type RateLimitState,
  useCategories,
  type UseCategoriesOptions,
  type UseCategoriesResult,
  usePetstoreQuery,
  useRateLimit,
  type WaitReason,
} from '../../src/index.ts'

const search = defineOperation({
  name: 'search',
  path: '/search',
  input: z.object({ term: z.string() }),
  output: z.array(z.object({ id: int64 })),
})
const count = defineOperation({ name: 'count', path: '/count', output: z.number() })
const getPet = defineOperation({ ...operations.getPet, output: z.object({ id: int64, name: z.string() }) })

/** Compiled, never run: the types come from the schemas. */
export function useInference(): void {
  expectTypeOf(usePetstoreQuery(search, { term: 'dog' }).data).toEqualTypeOf<{ id: string }[] | undefined>()
  expectTypeOf(usePetstoreQuery(search, null).data).toEqualTypeOf<{ id: string }[] | undefined>()
  expectTypeOf(usePetstoreQuery(count).data).toEqualTypeOf<number | undefined>()
  expectTypeOf(usePetstoreQuery(count, undefined, { refreshInterval: 1_000 }).data).toEqualTypeOf<number | undefined>()
  expectTypeOf(usePetstoreQuery(operations.listCategories).data).toEqualTypeOf<readonly Category[] | undefined>()
  // The interface document does not show this payload, so its type stays open.
  expectTypeOf(usePetstoreQuery(operations.getPet, { petId: '7' }).data).toEqualTypeOf<unknown>()
  expectTypeOf(usePetstoreQuery(getPet, { petId: '7' }).data).toEqualTypeOf<{ id: string; name: string } | undefined>()
  expectTypeOf(useCategories()).toEqualTypeOf<UseCategoriesResult>()
  expectTypeOf(useCategories().data).toEqualTypeOf<readonly Category[] | undefined>()
  expectTypeOf(useRateLimit()).toEqualTypeOf<RateLimitState>()

  const { error, wait, refresh, mutate } = useCategories()
  expectTypeOf(error).toEqualTypeOf<PetstoreError | undefined>()
  expectTypeOf(wait?.reason).toEqualTypeOf<WaitReason | undefined>()
  expectTypeOf(useRateLimit().waitReason).toEqualTypeOf<Exclude<WaitReason, 'service'> | undefined>()
  expectTypeOf(refresh).toEqualTypeOf<() => Promise<void>>()
  expectTypeOf(mutate()).toEqualTypeOf<Promise<readonly Category[] | undefined>>()

  usePetstoreQuery(
    search,
    { term: 'dog' },
    {
      fallbackData: [{ id: '7' }],
      throwOnError: (failure) => {
        expectTypeOf(failure).toEqualTypeOf<PetstoreError>()
        return failure.kind === 'network'
      },
    },
  )
}

/** Compiled, never run: with `suspense`, data is defined unless the input may be `null`. */
export function useNarrowing(isHidden: boolean, suspense: boolean): void {
  expectTypeOf(useCategories({ suspense: true }).data).toEqualTypeOf<readonly Category[]>()
  expectTypeOf(useCategories({ suspense }).data).toEqualTypeOf<readonly Category[] | undefined>()
  expectTypeOf(useCategories({ suspense: false }).data).toEqualTypeOf<readonly Category[] | undefined>()

  const input = { term: 'dog' }
  const nullable = isHidden ? null : input
  expectTypeOf(usePetstoreQuery(search, input, { suspense: true }).data).toEqualTypeOf<{ id: string }[]>()
  expectTypeOf(usePetstoreQuery(search, nullable, { suspense: true }).data).toEqualTypeOf<
    { id: string }[] | undefined
  >()
  expectTypeOf(usePetstoreQuery(count, undefined, { suspense: true }).data).toEqualTypeOf<number>()
  expectTypeOf(usePetstoreQuery(count, null, { suspense: true }).data).toEqualTypeOf<number | undefined>()
}

/** Compiled, never run: every option accepts `undefined`. */
export function useUndefined(
  given: { readonly [Field in keyof UseCategoriesOptions]?: UseCategoriesOptions[Field] },
): void {
  const nothing = {
    refreshInterval: undefined,
    fallbackData: undefined,
    keepPreviousData: undefined,
    suspense: undefined,
    throwOnError: undefined,
  }
  useCategories(nothing)
  useCategories(given)
  usePetstoreQuery(count, undefined, nothing)
}

/** Compiled, never run: what the compiler refuses. */
export function useMistakes(): void {
  // @ts-expect-error: the input is required
  usePetstoreQuery(search)
  // @ts-expect-error: the input is an object with `term`
  usePetstoreQuery(search, 'dog')
  // @ts-expect-error: `term` is a string
  usePetstoreQuery(search, { term: 7 })
  // @ts-expect-error: it takes no input
  usePetstoreQuery(count, { term: 'dog' })
  // @ts-expect-error: the response is a number
  usePetstoreQuery(count, undefined, { fallbackData: null })
  // @ts-expect-error: the response is a number, also with `suspense`
  usePetstoreQuery(count, undefined, { fallbackData: null, suspense: true })
  // @ts-expect-error: the identifier is a string
  usePetstoreQuery(getPet, { petId: 7 })
  // @ts-expect-error: the fallback is not an array of categories
  useCategories({ fallbackData: 'rows' })
  // @ts-expect-error: SWR's own options are not accepted
  useCategories({ dedupingInterval: 1 })
  // @ts-expect-error: the rows are readonly
  useCategories().data?.push({ name: 'Dog' })
}
