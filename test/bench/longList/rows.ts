import type { Category, CategoryId } from '../../../src/index.ts'

const kinds = ['Dog', 'Cat', 'Rabbit', 'Hamster', 'Canary', 'Tortoise', 'Goldfish', 'Ferret', 'Gecko', 'Pony']
const traits = ['Loyal, and always hungry', 'Owns the place', 'Soft ears, sharp teeth', 'Talks back', 'Sleeps all day']

/** The same rows each time, two thirds with a description. Each text is its own string, as in a parsed response. */
export function makeRows(count: number): readonly Category[] {
  const rows = Array.from({ length: count }, (_, index) => {
    const row = { id: String(index + 1) as CategoryId, name: `${kinds[index % kinds.length]} ${index + 1}` }
    return index % 3 === 2 ? row : { ...row, description: `${traits[index % traits.length]}, number ${index + 1}` }
  })
  return JSON.parse(JSON.stringify(rows)) as Category[]
}
