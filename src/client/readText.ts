/**
 * Reads the body as text; `undefined` where it has more than `maxSize` bytes. Counts bytes as they arrive, since
 * Content-Length may be missing, wrong, or the compressed size.
 */
export async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  const { body } = isShownAsCanceled(response) ? split(response) : response
  // The response has no body, or this `fetch` cannot stream.
  if (!body) return response.text()
  if (Number(response.headers.get('Content-Length')) > maxSize) {
    cancel(body)
    return undefined
  }
  return readStream(body, maxSize)
}

/** Chromium's developer tools do that with a `no-store` response, unless its stream has been split. */
function isShownAsCanceled({ headers }: Response): boolean {
  return typeof document !== 'undefined' && headers.get('Cache-Control')?.includes('no-store') === true
}

function split(response: Response): Response {
  const copy = response.clone()
  void response.body?.cancel().catch(() => {})
  return copy
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
