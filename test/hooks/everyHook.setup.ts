import * as z from 'zod/mini'
import { defineOperation } from '../../src/index.ts'
import * as petstore from '../../src/index.ts'

const pause = defineOperation({ name: 'pause', path: '/pause', output: z.unknown() })

/** The arguments of the hooks that need any. */
const hookArguments: Readonly<Record<string, readonly unknown[]>> = {
  useSecondsUntil: [undefined],
  usePetstoreMutation: [pause],
  usePetstoreQuery: [pause],
}

/** Every hook that the package exports, ready to be called. */
export const everyHook: readonly (readonly [name: string, useHook: () => unknown])[] = Object.entries(petstore)
  .filter(([name]) => /^use[A-Z]/.test(name))
  .map(([name, hook]) => {
    const useAny = hook as (...values: readonly unknown[]) => unknown
    return [name, () => useAny(...(hookArguments[name] ?? []))]
  })
