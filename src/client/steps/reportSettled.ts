import type { Clock } from '../../base/Clock.ts'
import type { KeyedCall } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError } from '../errors.ts'
import type { CallResult, EmitEvent } from '../PetstoreEvent.ts'

export interface ReportSettledOptions {
  readonly clock: Clock
  readonly emit: EmitEvent
}

/** Reports how each call has ended, whatever became of its requests. Rejects with what the call rejects with. */
export function reportSettled({ clock, emit }: ReportSettledOptions): Step<KeyedCall, KeyedCall> {
  return (call, next) => {
    const report = (result: CallResult) =>
      emit(call, { type: 'settled', result, duration: clock.now() - call.startedAt })
    return next(call).then(
      (result) => {
        report('success')
        return result
      },
      (error: unknown) => {
        report(isPetstoreError(error) ? error.kind : 'cancelled')
        throw error
      },
    )
  }
}
