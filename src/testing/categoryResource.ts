import { newCategorySchema } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import type { CategoryRecord } from './categorySeeds.ts'
import type { Handlers } from './handlers.ts'
import { successResponse } from './RawResponse.ts'

const maxId = 2n ** 63n - 1n

/** Written by hand, because the id is an integer literal that may be too large for a JavaScript number. */
function write({ id, name, description }: CategoryRecord): string {
  const start = `{"id":${id},"name":${JSON.stringify(name)}`
  return description === undefined ? `${start}}` : `${start},"description":${JSON.stringify(description)}}`
}

/** The categories of one service and the handlers that read and change them. New ids start at `firstId`. */
export function createCategoryResource(seeds: readonly CategoryRecord[], firstId: bigint) {
  const records = [...seeds]
  const takenIds = new Set(seeds.map((seed) => seed.id))
  // Each row is written once, when it is first needed: tests list 100,000 rows many times.
  const texts: string[] = []
  let nextId = firstId

  const assignId = (): string => {
    while (takenIds.has(String(nextId))) nextId = nextId === maxId ? 1n : nextId + 1n
    const id = String(nextId)
    takenIds.add(id)
    return id
  }

  return {
    all: (): readonly CategoryRecord[] => [...records],
    handlers: {
      listCategories: () => {
        for (const record of records.slice(texts.length)) texts.push(write(record))
        return successResponse(operations.listCategories, `[${texts.join(',')}]`)
      },
      createCategory: ({ body }) => {
        const { name, description } = newCategorySchema.parse(body)
        const record = { id: assignId(), name, ...(description !== undefined && { description }) }
        records.push(record)
        return successResponse(operations.createCategory, write(record))
      },
    } satisfies Partial<Handlers>,
  }
}
