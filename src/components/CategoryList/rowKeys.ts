import type { Category } from '../../contract/category.ts'

/**
 * A React key for each row: its id. If a service sends an id twice, the later rows get other keys, since React would
 * otherwise keep rows that are gone.
 */
export function rowKeys(rows: readonly Category[]): readonly string[] {
  const counts = new Map<string, number>()
  return rows.map(({ id }) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? id : `${id}#${count}`
  })
}
