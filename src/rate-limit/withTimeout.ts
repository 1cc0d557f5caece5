import type { Clock } from './Clock.ts'

/** Settles as `work` does, or after `ms` with what `onTimeout` returns. How `work` ends later has no effect. */
export async function withTimeout<Result>(
  work: Result | Promise<Result>,
  ms: number,
  clock: Clock,
  onTimeout: () => Result,
): Promise<Result> {
  let cancelTimer = () => {}
  const timedOut = new Promise<Result>((resolve) => {
    cancelTimer = clock.wakeAfter(ms, () => resolve(onTimeout()))
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    cancelTimer()
  }
}
