import type { Category } from '../../contract/category.ts'
import type { PendingCategory } from '../../hooks/usePendingCategories.ts'

/**
 * A React key for each row: its id, or the key of a category that is being created. If a service sends an id twice, the
 * later rows get other keys, since React would otherwise keep rows that are gone.
 */
export function rowKeys(items: readonly (Category | PendingCategory)[]): readonly string[] {
  const counts = new Map<string, number>()
  return items.map((item) => {
    if ('key' in item) return item.key
    const { id } = item
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? id : `${id}#${count}`
  })
}
