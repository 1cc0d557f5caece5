import { isInt64 } from '../contract/fields.ts'
import { operations } from '../contract/operations.ts'
import { newCategorySchema } from '../contract/schemas.ts'
import { type Handlers, checkedBody } from './handlers.ts'
import { successResponse } from './RawResponse.ts'

const maxId = 2n ** 63n - 1n

/** Writes a category as JSON. Not by `JSON.stringify`: the id is an integer that may be too large for a number. */
function writeCategory({ id, name, description }: CategoryRecord): string {
  const start = `{"id":${id},"name":${JSON.stringify(name)}`
  return description === undefined ? `${start}}` : `${start},"description":${JSON.stringify(description)}}`
}

/** The categories of one service and the handlers that read and change them. New ids start at `firstId`. */
export function createCategoryResource(seeds: readonly CategoryRecord[], firstId: bigint) {
  const records = [...seeds]
  const takenIds = new Set(seeds.map((seed) => seed.id))
  // The JSON of each row, written once when it is first needed: tests list 100,000 rows many times.
  const rowTexts: string[] = []
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
        for (const record of records.slice(rowTexts.length)) rowTexts.push(writeCategory(record))
        return successResponse(operations.listCategories, `[${rowTexts.join(',')}]`)
      },
      createCategory: ({ body }) => {
        const { name, description } = checkedBody(newCategorySchema, body)
        const record = { id: assignId(), name, ...(description !== undefined && { description }) }
        records.push(record)
        return successResponse(operations.createCategory, writeCategory(record))
      },
    } satisfies Partial<Handlers>,
  }
}

/** An initial category of the service. */
export interface CategorySeed {
  /** An int64. Default: the lowest number from 1 that is not taken. */
  readonly id?: Int64
  /** Any text. */
  readonly name: string
  /** If left out, the category has no description in responses. */
  readonly description?: string
}

/** A category as the service stores it. */
export interface CategoryRecord extends CategorySeed {
  /** An int64 as an exact decimal string. Responses contain it as an integer literal. */
  readonly id: string
}

export const defaultCategories: readonly CategorySeed[] = [
  { name: 'Dog', description: 'Loyal, and always hungry' },
  { name: 'Cat', description: 'Owns the place' },
  { name: 'Rabbit', description: 'Soft ears, sharp teeth' },
  { name: 'Guinea pig' },
  { name: 'Budgerigar', description: 'Talks back' },
]

const kinds = ['Dog', 'Cat', 'Rabbit', 'Hamster', 'Canary', 'Tortoise', 'Goldfish', 'Ferret', 'Gecko', 'Pony']

/** Generates `count` categories, always the same for one count. Every third has no description. */
function generateSeeds(count: number): readonly CategorySeed[] {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`categories must be a whole number from 0, or a list of categories; not ${count}.`)
  }
  return Array.from({ length: count }, (_, index) => {
    const name = `${kinds[index % kinds.length]} ${index + 1}`
    return index % 3 === 2 ? { name } : { name, description: `Category ${index + 1} of ${count}` }
  })
}

/** @throws TypeError or RangeError when a seed cannot be a category. */
export function readCategorySeeds(option: number | readonly CategorySeed[]): readonly CategoryRecord[] {
  const seeds = typeof option === 'number' ? generateSeeds(option) : option
  const taken = new Set<string>()
  for (const { id } of seeds) {
    if (id === undefined) continue
    const text = readInt64(id, 'The category id')
    if (taken.has(text)) throw new RangeError(`Two categories have the id ${text}. Ids are unique.`)
    taken.add(text)
  }
  let lastId = 0
  const nextFreeId = (): string => {
    do lastId += 1
    while (taken.has(String(lastId)))
    return String(lastId)
  }
  return seeds.map(({ id, name, description }, index) => {
    if (typeof name !== 'string') throw new TypeError(`categories[${index}] needs a name that is a string.`)
    if (description !== undefined && typeof description !== 'string') {
      throw new TypeError(`categories[${index}] has a description that is not a string. Leave it out if there is none.`)
    }
    const exactId = id === undefined ? nextFreeId() : String(id)
    return { id: exactId, name, ...(description !== undefined && { description }) }
  })
}

/** An int64 in an option. Write ids beyond the safe integers as strings or bigints. */
export type Int64 = string | number | bigint

/** @throws RangeError when `value` is no exact int64. `what` names it in the message. */
export function readInt64(value: Int64, what: string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${what} ${value} is not an exact integer. Write it as a string or a bigint.`)
  }
  const text = String(value)
  if (!isInt64(text)) {
    throw new RangeError(`${what} "${text}" is not an int64 in plain decimal digits, such as '9223372036854775807'.`)
  }
  return text
}
