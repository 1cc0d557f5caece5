import type { Arrival } from './network.ts'
import type { Goal, WorldContext, WorldPage } from './runWorld.ts'

export const second = 1_000
export const minute = 60 * second

/** How much later calls may succeed without anybody noticing: property G23 of the gate. */
export const unnoticed: Goal = { p50: 5, p95: 50 }

/** A limit far above what a world uses, in requests per minute. */
export const ample = 300

/** Whether a request is for a report: the address that is dead or slow in some worlds, beside healthy `/items`. */
export const isReport = ({ address }: Arrival) => address.startsWith('/reports/')
export const item = (id: number) => `/items/${id % 10}`

/** Makes a call in each interval, from one time to another (ms after the start). */
export async function repeat(
  { until }: WorldContext,
  { from = 0, to, every }: { readonly from?: number; readonly to: number; readonly every: number },
  call: (round: number) => void,
): Promise<void> {
  for (let round = 0; from + round * every < to; round += 1) {
    await until(from + round * every)
    call(round)
  }
}

/** Calls healthy addresses, by default one a second, each time another one. */
export const flow = (context: WorldContext, page: WorldPage, to: number, every = second) =>
  repeat(context, { to, every }, (round) => page.get(`/items/${round}`))

export function load(page: WorldPage, widgets: number): void {
  for (let id = 0; id < widgets; id += 1) page.get(item(id))
}

/** Makes the key and its window known, with calls that do not count in the figures. */
export function prime(page: WorldPage, calls = 1): void {
  for (let id = 0; id < calls; id += 1) page.get(item(id), { isCounted: false })
}
