/** Two independent hashes of 32 bits. */
export function hash(text: string): [number, number] {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return [one >>> 0, other >>> 0]
}
