export type RowKind = 'small ids' | 'ids past 2^53'

/**
 * The body of a list of categories. Of the `ids past 2^53`, every second id is one, and every fiftieth description holds
 * a text that looks like one. Written by hand, because `JSON.stringify` cannot write such ids.
 */
export function categoryRows(count: number, kind: RowKind): string {
  const isLong = kind === 'ids past 2^53'
  const rows = Array.from({ length: count }, (_, index) => {
    const id = isLong && index % 2 === 1 ? 2n ** 53n + BigInt(index) : BigInt(index + 1)
    const about = isLong && index % 50 === 0 ? String.raw`\"id\":9007199254740993, once` : `number ${index}`
    return `{"id":${id},"name":"Category ${index}","description":"All about ${about}"}`
  })
  return `[${rows.join(',')}]`
}
