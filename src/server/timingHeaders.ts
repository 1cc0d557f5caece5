import type { VisitorResponse } from './serviceCaller.ts'

/** Where the time went, for the network panel. */
export function timingHeaders({ age, waits }: VisitorResponse): Readonly<Record<string, string>> {
  const timing = waits ? `queue;dur=${waits.queue}, upstream;dur=${waits.upstream}` : 'cache'
  return { 'Server-Timing': timing, ...(age !== undefined && { Age: String(Math.floor(age / 1_000)) }) }
}
