import { bench, describe } from 'vitest'
import { categoryListSchema } from '../../src/contract/category.ts'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'

/** The body of a list of categories, as text: ids past 2^53 cannot be written by `JSON.stringify`. */
function categoryRows(count: number, firstId: bigint): string {
  const rows = Array.from(
    { length: count },
    (_, i) => `{"id":${firstId + BigInt(i)},"name":"Category ${i}","description":"All that belongs to number ${i}"}`,
  )
  // Through bytes, as a response comes: text glued together in JavaScript is stored otherwise, and slower to read.
  return new TextDecoder().decode(new TextEncoder().encode(`[${rows.join(',')}]`))
}

function compare(body: string): void {
  const options = { time: 4000, warmupTime: 1000 }
  bench('JSON.parse', () => void JSON.parse(body), options)
  bench('parseExactJson', () => void parseExactJson(body), options)
  bench('checked rows', () => void categoryListSchema['~standard'].validate(parseExactJson(body)), options)
}

describe('100,000 rows, small ids', () => {
  compare(categoryRows(100_000, 1n))
})

describe('100,000 rows, ids past 2^53', () => {
  compare(categoryRows(100_000, 2n ** 53n))
})
