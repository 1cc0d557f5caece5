import { type Int64, readInt64 } from './readInt64.ts'

/** An initial category of the service. */
export interface CategorySeed {
  /** An int64. Default: the lowest number from 1 that is not taken. */
  readonly id?: Int64
  /** Any text. */
  readonly name: string
  /** If left out, responses have none. */
  readonly description?: string
}

/** A category as the service stores it. */
export interface CategoryRecord {
  /** An int64 as an exact decimal string. Responses contain it as an integer literal. */
  readonly id: string
  /** Any text. */
  readonly name: string
  /** If left out, responses have none. */
  readonly description?: string
}

const defaults: readonly CategorySeed[] = [
  { name: 'Dog', description: 'Loyal, and always hungry' },
  { name: 'Cat', description: 'Owns the place' },
  { name: 'Rabbit', description: 'Soft ears, sharp teeth' },
  { name: 'Guinea pig' },
  { name: 'Budgerigar', description: 'Talks back' },
]

const kinds = ['Dog', 'Cat', 'Rabbit', 'Hamster', 'Canary', 'Tortoise', 'Goldfish', 'Ferret', 'Gecko', 'Pony']

/** Generates the same categories for the same count. Every third one has no description. */
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
export function readCategorySeeds(option: number | readonly CategorySeed[] = defaults): readonly CategoryRecord[] {
  const seeds = typeof option === 'number' ? generateSeeds(option) : option
  const taken = new Set<string>()
  for (const { id } of seeds) {
    if (id === undefined) continue
    const text = readInt64(id, 'The category id')
    if (taken.has(text)) throw new RangeError(`Two categories have the id ${text}. Ids are unique.`)
    taken.add(text)
  }
  let last = 0
  const nextFree = (): string => {
    do last += 1
    while (taken.has(String(last)))
    return String(last)
  }
  return seeds.map(({ id, name, description }, index) => {
    if (typeof name !== 'string') throw new TypeError(`categories[${index}] needs a name that is a string.`)
    if (description !== undefined && typeof description !== 'string') {
      throw new TypeError(`categories[${index}] has a description that is not a string. Leave it out if there is none.`)
    }
    const exactId = id === undefined ? nextFree() : String(id)
    return { id: exactId, name, ...(description !== undefined && { description }) }
  })
}
