import { join } from 'node:path'
import { entries, publicNames } from './entries.ts'
import { type ApiEntry, readApi } from './readApi.ts'

/** What each page of the API reference describes, by the name of the entry: `main`, `client` and so on. */
export type Reference = Readonly<Record<string, readonly ApiEntry[]>>

/** Reads what the package exports. A name that several entries export is on the page of the first one. */
export function readReference(root: string): Reference {
  const api = readApi(join(root, 'src'))
  const described = new Set<string>()
  const pages: Record<string, ApiEntry[]> = {}
  for (const [entry, path] of Object.entries(entries)) {
    // `petstore-react/server/redis` is on the page of the server.
    const [, page = 'main'] = entry.split('/')
    if (page === 'locales') continue
    for (const { name } of publicNames(join(root, path))) {
      const found = api[name]
      if (!found || described.has(name)) continue
      described.add(name)
      pages[page] = [...(pages[page] ?? []), found]
    }
  }
  // Ignores case: `useCategories` stands beside `UseCategoriesResult`, and before it.
  const byName = (one: ApiEntry, other: ApiEntry) => one.name.localeCompare(other.name, 'en')
  return Object.fromEntries(Object.entries(pages).map(([page, found]) => [page, found.toSorted(byName)]))
}
