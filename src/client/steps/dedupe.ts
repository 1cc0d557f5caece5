import type { Priority } from '../../rate-limit/gate.ts'
import { createListeners } from '../../base/listeners.ts'
import type { CallWait } from '../../rate-limit/pendingRequest.ts'
import { type Call, type KeyedCall, type ReadKey, requestIdentity, type Step, type ValidCall } from '../Call.ts'
import { CallController, isFrameworkError, untilAborted } from '../../base/abort.ts'

/**
 * Joins identical GETs that are in progress with the same key, so that they share one request. The key is read first:
 * nothing is shared between keys.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function dedupe(readKey: ReadKey): Step<ValidCall, KeyedCall> {
  /** The GETs in progress, by `requestIdentity`. */
  const sharedCalls = new Map<string, SharedCall>()

  const step: Step<ValidCall, KeyedCall> = async (call, next) => {
    const { signal, priority, onWait } = call
    const key = call.key ?? (await readKey(call))
    const keyed = Object.assign(call, { key })
    // A response that was requested before a change may not show the change: later callers must not join these GETs.
    if (call.operation.method !== 'GET') return next(keyed).finally(() => sharedCalls.clear())

    const identity = requestIdentity(keyed)
    const known = sharedCalls.get(identity)
    const forget = () => {
      if (sharedCalls.get(identity) === shared) sharedCalls.delete(identity)
    }
    // A call with another schema needs another result of the same response, so it does not join.
    const shared = known?.schema === call.operation.output ? known : createSharedCall(keyed, next, forget)
    sharedCalls.set(identity, shared)
    try {
      return await shared.join({ signal, priority, onWait })
    } catch (error) {
      // The framework has ended the render that sent the request. This call, of another render, sends its own.
      if (shared === known && isFrameworkError(error)) return step(keyed, next)
      throw error
    }
  }
  return step
}

type SharedCall = ReturnType<typeof createSharedCall>
type Joiner = Pick<Call, 'signal' | 'priority' | 'onWait'>

/** Shares the first call among its callers: it is as urgent as the most urgent one, and ends when the last one leaves. */
function createSharedCall(first: KeyedCall, next: (call: KeyedCall) => Promise<unknown>, onEnd: () => void) {
  const controller = new CallController()
  const callers = new Set<Joiner>()
  const priorityListeners = createListeners()
  let priority: Priority = 'background'
  /** What callers were told last, for those who join later: when the request leaves, or that it has left (`undefined`). */
  let wait: CallWait | undefined
  let isTold = false
  let result: Promise<unknown> | undefined
  let isSettled = false

  const shared = Object.assign(first, {
    signal: controller,
    priority: () => priority,
    onPriorityChange: priorityListeners.add,
    onWait: (latest: CallWait | undefined) => {
      wait = latest
      isTold = true
      for (const caller of callers) caller.onWait(wait)
    },
  })

  async function perform(): Promise<unknown> {
    try {
      return await next(shared)
    } finally {
      isSettled = true
      onEnd()
    }
  }

  /** Settles with the shared result. A caller that aborts leaves; the last one to leave aborts the shared call. */
  async function join(caller: Joiner): Promise<unknown> {
    const leave = () => {
      callers.delete(caller)
      // Nothing is aborted after the end: in Cloudflare Workers, a request may not abort the signal of another one.
      if (callers.size > 0 || isSettled) return
      onEnd()
      controller.abort(caller.signal.reason)
    }
    callers.add(caller)
    caller.signal.addEventListener('abort', leave)
    if (caller.priority() === 'user' && priority === 'background') {
      priority = 'user'
      priorityListeners.call()
    }
    if (isTold) caller.onWait(wait)
    try {
      return await untilAborted(caller.signal, () => (result ??= perform()))
    } finally {
      caller.signal.removeEventListener('abort', leave)
      leave()
    }
  }

  return { schema: first.operation.output, join }
}
