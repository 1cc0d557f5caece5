import { priorityHeader } from '../client/buildRequest.ts'
import type { Priority } from '../rate-limit/gate.ts'

/** The header can lower the priority and never raise it: without it, each call has the highest one. */
export function readPriority({ headers }: Request): Priority {
  return headers.get(priorityHeader) === 'background' ? 'background' : 'user'
}
