/**
 * Reads the body as text; `undefined` where it has more than `maxSize` bytes. Counts bytes as they arrive, since
 * Content-Length may be missing, wrong, or the compressed size.
 */
export async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  const { body } = response
  // The response has no body, or this `fetch` cannot stream.
  if (!body) return response.text()
  if (Number(response.headers.get('Content-Length')) > maxSize) {
    cancel(body)
    return undefined
  }
  return typeof document === 'undefined' ? readStream(body, maxSize) : readBlob(response, maxSize)
}

/** A blob does not count toward the page's memory. Chromium shows a `no-store` stream as canceled. */
async function readBlob(response: Response, maxSize: number): Promise<string | undefined> {
  const blob = await response.blob()
  return blob.size > maxSize ? undefined : blob.text()
}

/** Stops reading where the body becomes too large. */
async function readStream(body: ReadableStream<Uint8Array>, maxSize: number): Promise<string | undefined> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= maxSize) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks, size)
    chunks.push(value)
    size += value.byteLength
  }
  cancel(reader)
  return undefined
}

const cancel = (source: { readonly cancel: () => Promise<void> }) => void source.cancel().catch(() => {})

/** Decodes all bytes at once: as fast as `response.text()`, and faster than chunk by chunk. */
function decode(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return new TextDecoder().decode(bytes)
}
