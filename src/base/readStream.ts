/** Reads a stream to its end; `undefined` where it has more than `maxSize` bytes: then the rest is not read. */
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
      let end = 0
      for (const chunk of chunks) {
        bytes.set(chunk, end)
        end += chunk.byteLength
      }
      return bytes
    }
    chunks.push(value)
    size += value.byteLength
  }
  void reader.cancel().catch(() => {})
  return undefined
}
