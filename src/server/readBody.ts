import { withAbort } from '../base/abort.ts'
import { parseExactJson } from '../contract/parseExactJson.ts'
import type { Clock } from '../base/Clock.ts'
import { Refusal } from './Refusal.ts'

export interface BodyLimits {
  /** Bytes. */
  readonly maxBodySize: number
  readonly clock: Clock
}

/** ms from the first to the last byte. */
const maxBodyTime = 10_000

/**
 * The JSON body of a request; `undefined` where it is empty.
 *
 * @throws Refusal with 400, 408, 413 or 415; the signal's reason
 */
export async function readBody(request: Request, { maxBodySize, clock }: BodyLimits): Promise<unknown> {
  if (Number(request.headers.get('Content-Length')) > maxBodySize) throw tooLarge()
  let cancelTimer = () => {}
  let bytes: Uint8Array
  try {
    bytes = await withAbort(request.signal, (ended, abort) => {
      cancelTimer = clock.wakeAfter(maxBodyTime, () => abort(new Refusal(408, 'too-slow', 'Send it faster.')))
      return readBytes(request, maxBodySize, ended)
    })
  } finally {
    cancelTimer()
  }
  if (bytes.length === 0) return undefined
  // A form of another site can send a body, but not of this type.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('Content-Type') ?? '')) {
    throw new Refusal(415, 'not-json', 'Send the body with the Content-Type application/json.')
  }
  try {
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'not-json', 'The request body is not JSON.')
  }
}

/** Counts bytes as they arrive: Content-Length may be missing. */
async function readBytes({ body }: Request, maxSize: number, ended: AbortSignal): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  ended.addEventListener('abort', cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal(400, 'incomplete', 'The request body broke off.')
    })
    if (done) break
    chunks.push(value)
    size += value.byteLength
    if (size > maxSize) {
      cancel()
      throw tooLarge()
    }
  }
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return bytes
}

function tooLarge(): Refusal {
  return new Refusal(413, 'too-large', 'The request body is too large.')
}
