import { descriptions } from './exchanges.ts'
import type { SentRequest } from './OperationDescription.ts'

/** What a client is given, to send a request. */
export interface ReadRequest {
  /** The API key. `undefined` if the request has none. */
  readonly key: string | undefined
  /** The JSON body. `undefined` if the request has none. */
  readonly body: unknown
  /** The input of the operation: the fields of the path and the body. */
  readonly input: unknown
}

/** Returns what makes our client send this request, or, if nothing does, what it does instead ("sends JSON only"). */
export function readRequest({ operation: name, path, headers, body: text = '' }: SentRequest): ReadRequest | string {
  const { Authorization: authorization, 'Content-Type': contentType = '' } = headers
  const key = authorization === undefined ? undefined : /^Bearer ([\x21-\x7e]+)$/.exec(authorization)?.[1]
  if (authorization !== undefined && key === undefined) return 'sends the key as Bearer <key> only'
  if (contentType !== '' && !/^application\/json *(;|$)/.test(contentType)) return 'sends JSON only'
  const template = descriptions.find(({ operation }) => operation.name === name)?.operation.path ?? path
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  const fields = Object.entries(pattern.exec(path)?.groups ?? {})
  const params = Object.fromEntries(fields.map(([field, value]) => [field, decodeURIComponent(value)]))
  try {
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    return { key, body, input: fields.length > 0 ? { ...params, ...(isObject && body) } : body }
  } catch {
    return 'sends valid JSON only'
  }
}
