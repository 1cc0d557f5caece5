import type { Api, ApiEntry } from './readApi.ts'

/** The fields of an interface or constant, including those of the ones that it extends. */
export function fieldsOf(name: string, api: Api): ApiEntry['members'] {
  const entry = api[name]
  if (!entry) return []
  const { members, extended } = entry
  const inherited = extended.flatMap((text) => {
    const base = /^\w+/.exec(text)?.[0] ?? ''
    return fieldsOf(base, api)
  })
  return [...members, ...inherited.filter((field) => !members.some((own) => own.name === field.name))]
}
