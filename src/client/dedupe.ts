import type { Priority } from '../rate-limit/gate.ts'

/** What one caller of a call brings along. */
export interface Caller {
  /** Its own: whoever aborts it has stopped waiting for the result. */
  readonly signal: AbortSignal
  readonly priority: Priority
  /** Told until when the call waits at the least (epoch ms); `undefined`: it waits no more. */
  readonly onWait: ((until: number | undefined) => void) | undefined
}

/** What the call itself sees of its callers. */
export interface Callers {
  /** Aborted when the last caller has gone. */
  readonly signal: AbortSignal
  /** The highest of theirs. */
  readonly priority: Priority
  /** Set by the call: what to do when a person joins callers of the background. */
  onPriorityChange: () => void
  readonly onWait: (until: number | undefined) => void
}

interface SharedCall {
  readonly reader: unknown
  readonly result: Promise<unknown>
  readonly join: (caller: Caller) => () => void
}

/** Makes calls, in such a way that callers who ask for the same thing at the same time share one. */
export interface CallSharing {
  /**
   * @param identity - equal for calls that ask for the same; `undefined` for one of its own
   * @param reader - the very same for calls that make the same of the response: its schema
   */
  readonly call: <Result>(
    identity: string | undefined,
    reader: unknown,
    caller: Caller,
    start: (callers: Callers) => Promise<Result>,
  ) => Promise<Result>
  /** From now on callers join none of the calls under way: what these bring may be out of date. */
  readonly separate: () => void
}

export function createDedupe(): CallSharing {
  /** Those without an identity are never among them. */
  const calls = new Map<string | undefined, SharedCall>()

  async function call<Result>(
    identity: string | undefined,
    reader: unknown,
    caller: Caller,
    start: (callers: Callers) => Promise<Result>,
  ): Promise<Result> {
    caller.signal.throwIfAborted()
    const alike = calls.get(identity)
    const known = alike?.reader === reader ? alike : undefined
    const forget = () => {
      if (calls.get(identity) === shared) calls.delete(identity)
    }
    const shared: SharedCall = known ?? beginCall(reader, start, forget)
    if (!known && identity !== undefined) calls.set(identity, shared)
    const leave = shared.join(caller)
    caller.signal.addEventListener('abort', leave)
    // Equal identity and the very same schema: so the same type of result.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (shared.result as Promise<Result>).finally(leave)
  }

  return { call, separate: () => calls.clear() }
}

function beginCall(reader: unknown, start: (callers: Callers) => Promise<unknown>, onEnd: () => void): SharedCall {
  const controller = new AbortController()
  const joined = new Set<Caller>()
  let priority: Priority = 'background'
  let waitsUntil: number | undefined
  const callers: Callers = {
    signal: controller.signal,
    get priority() {
      return priority
    },
    onPriorityChange: () => {},
    onWait: (until) => {
      waitsUntil = until
      for (const caller of joined) caller.onWait?.(until)
    },
  }
  // Begun once its first caller has joined, whose priority it goes by.
  const result = Promise.resolve()
    .then(() => start(callers))
    .finally(onEnd)
  result.catch(() => {}) // each caller hears of it; none may be left
  return {
    reader,
    result,
    join: (caller) => {
      joined.add(caller)
      if (caller.priority === 'user' && priority === 'background') {
        priority = 'user'
        callers.onPriorityChange()
      }
      if (waitsUntil !== undefined) caller.onWait?.(waitsUntil)
      return () => {
        joined.delete(caller)
        if (joined.size > 0) return
        onEnd()
        controller.abort()
      }
    },
  }
}
