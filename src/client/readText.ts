/**
 * The body of a response as text; `undefined` where it has more than `most` bytes. They are counted as they come, since a
 * Content-Length tells the compressed size, if it is there and if it is true.
 */
export async function readText(response: Response, most: number): Promise<string | undefined> {
  const { body } = response
  // None, or a `fetch` that cannot stream.
  if (!body) return response.text()
  if (Number(response.headers.get('Content-Length')) > most) {
    leave(body)
    return undefined
  }
  return typeof document === 'undefined' ? readStream(body, most) : readBlob(response, most)
}

/** A blob is no part of a page's memory. Chromium shows streams that are not to be stored as cancelled. */
async function readBlob(response: Response, most: number): Promise<string | undefined> {
  const blob = await response.blob()
  return blob.size > most ? undefined : blob.text()
}

/** The rest of what is too large is not taken in. */
async function readStream(body: ReadableStream<Uint8Array>, most: number): Promise<string | undefined> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= most) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks, size)
    chunks.push(value)
    size += value.byteLength
  }
  leave(reader)
  return undefined
}

const leave = (source: { readonly cancel: () => Promise<void> }) => void source.cancel().catch(() => {})

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
