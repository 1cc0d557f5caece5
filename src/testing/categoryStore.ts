import type { NewCategory } from '../contract/category.ts'
import type { CategoryRecord } from './categorySeeds.ts'

/** The categories of one service. */
export interface CategoryStore {
  readonly all: () => readonly CategoryRecord[]
  /** Every category as the JSON text of a response. */
  readonly listText: () => string
  /** Creates a category and gives it as the JSON text of a response. */
  readonly create: (newCategory: NewCategory) => string
}

const maxId = 2n ** 63n - 1n

/** By hand: the id is an integer literal, which no number of JavaScript could carry. */
function write({ id, name, description }: CategoryRecord): string {
  const start = `{"id":${id},"name":${JSON.stringify(name)}`
  return description === undefined ? `${start}}` : `${start},"description":${JSON.stringify(description)}}`
}

/** Created categories get the ids from `firstId` on, without those that are taken. */
export function createCategoryStore(seeds: readonly CategoryRecord[], firstId: bigint): CategoryStore {
  const records = [...seeds]
  const taken = new Set(seeds.map((seed) => seed.id))
  // Each row is written once, when first needed: lists of 100,000 are asked for again and again.
  const texts: string[] = []
  let nextId = firstId

  const assignId = (): string => {
    while (taken.has(String(nextId))) nextId = nextId === maxId ? 1n : nextId + 1n
    const id = String(nextId)
    taken.add(id)
    return id
  }

  return {
    all: () => [...records],
    listText() {
      for (const record of records.slice(texts.length)) texts.push(write(record))
      return `[${texts.join(',')}]`
    },
    create({ name, description }) {
      const record = { id: assignId(), name, ...(description !== undefined && { description }) }
      records.push(record)
      return write(record)
    },
  }
}
