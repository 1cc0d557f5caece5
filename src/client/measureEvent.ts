import type { PetstoreEvent } from './PetstoreEvent.ts'

/** Shows a call and its phases in the performance panel of the browser's developer tools. */
export function measureEvent(event: PetstoreEvent): void {
  const { type } = event
  // Before a later attempt the call has waited for other things than its key.
  if (type === 'queued' && event.attempt === 1) measure(event, ' · key', event.duration)
  if (type === 'request') measure(event, ' · queued', event.waited)
  if (type === 'failure' || type === 'cancelled') measure(event, ' · network', event.duration)
  if (type === 'response') {
    measure(event, ' · network', event.duration - event.bodyDuration, event.bodyDuration)
    measure(event, ' · reading', event.bodyDuration)
  }
  if (type === 'settled') measure(event, '', event.duration)
}

/** @param endedAgo - ms between the end of the phase and now */
function measure({ operation, callId }: PetstoreEvent, phase: string, duration: number, endedAgo = 0): void {
  const name = `petstore: ${operation}${phase}`
  // The times of calls are those of a clock that can be set.
  const end = Math.max(0, performance.now() - Math.max(0, endedAgo))
  const start = Math.max(0, end - Math.max(0, duration))
  // Some runtimes have no measures, whatever the type says.
  const timeline: Partial<Pick<Performance, 'measure' | 'clearMeasures'>> = performance
  timeline.measure?.(name, { start, end, detail: { callId } })
  // The panel keeps what was measured. The page would keep it for its life.
  timeline.clearMeasures?.(name)
}
