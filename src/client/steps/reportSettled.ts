import type { Clock } from '../../base/Clock.ts'
import type { KeyedCall, Step } from '../Call.ts'
import { isPetstoreError } from '../errors.ts'
import type { CallResult, EmitEvent } from '../PetstoreEvent.ts'

/** Reports how a call has ended. An abort, and the errors of `isFrameworkError` and `QueueFullError`, count as `cancelled`. */
export function reportSettled(clock: Clock, emit: EmitEvent): Step<KeyedCall, KeyedCall> {
  const report = (call: KeyedCall, result: CallResult) =>
    emit(call, { type: 'settled', result, duration: clock.now() - call.startedAt })
  return (call, next) =>
    next(call).then(
      (result) => {
        report(call, 'success')
        return result
      },
      (error: unknown) => {
        report(call, isPetstoreError(error) ? error.kind : 'cancelled')
        throw error
      },
    )
}
