/** Reads a stream to its end. Returns `undefined` if it has more than `maxSize` bytes, and leaves the rest unread. */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxSize: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= maxSize) {
    const { done, value } = await reader.read()
    if (done) {
      const bytes = new Uint8Array(size)
      let offset = 0
      for (const chunk of chunks) {
        bytes.set(chunk, offset)
        offset += chunk.byteLength
      }
      return bytes
    }
    chunks.push(value)
    size += value.byteLength
  }
  // Not awaited: the source may take long to stop, and nothing depends on it.
  void reader.cancel().catch(() => {})
  return undefined
}
