import { bench, describe } from 'vitest'
import { categoryListSchema } from '../contract/categoryListSchema.ts'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'

/** The body of a list of categories. Written by hand, because `JSON.stringify` cannot write ids beyond 2^53. */
function categoryRows(count: number, firstId: bigint): string {
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `{"id":${firstId + BigInt(index)},"name":"Category ${index}","description":"All about number ${index}"}`,
  )
  // Decoded from bytes, as a response is: engines store joined strings differently, and read them more slowly.
  return new TextDecoder().decode(new TextEncoder().encode(`[${rows.join(',')}]`))
}

function benchParsers(body: string): void {
  const options = { time: 4000, warmupTime: 1000 }
  bench('JSON.parse', () => void JSON.parse(body), options)
  bench('parseExactJson', () => void parseExactJson(body), options)
  bench('parseExactJson and schema', () => void categoryListSchema['~standard'].validate(parseExactJson(body)), options)
}

describe('100,000 rows, small ids', () => {
  benchParsers(categoryRows(100_000, 1n))
})

describe('100,000 rows, ids beyond 2^53', () => {
  benchParsers(categoryRows(100_000, 2n ** 53n))
})
