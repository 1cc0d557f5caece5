import { type Int64, readInt64 } from './readInt64.ts'

/** A category that the service holds from the start. */
export interface CategorySeed {
  /** An int64. Left out: the lowest number from 1 that is not taken. */
  readonly id?: Int64
  /** Any text. */
  readonly name: string
  /** Left out: the responses have none. */
  readonly description?: string
}

/** A category as the service holds it. */
export interface CategoryRecord {
  /** An int64, as its exact decimal string. In responses it is an integer literal. */
  readonly id: string
  /** Any text. */
  readonly name: string
  /** Left out: the responses have none. */
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

/** As many made-up categories as asked for, the same ones each time; one in three has no description. */
function makeUp(count: number): readonly CategorySeed[] {
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
  const seeds = typeof option === 'number' ? makeUp(option) : option
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
