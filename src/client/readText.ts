/**
 * The body of an answer as text; `undefined` where it has more than `most` bytes: then the rest is not taken in. They
 * are counted as they come, since a Content-Length tells the compressed size, if it is there and if it is true.
 */
export async function readText(response: Response, most: number): Promise<string | undefined> {
  // None, or a `fetch` that cannot stream.
  if (!response.body) return response.text()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let isTooLarge = Number(response.headers.get('Content-Length')) > most
  while (!isTooLarge) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks, size)
    chunks.push(value)
    size += value.byteLength
    isTooLarge = size > most
  }
  reader.cancel().catch(() => {})
  return undefined
}

/** All at once: measured as fast as `response.text()`, and faster than piece by piece. */
function decode(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return new TextDecoder().decode(bytes)
}
