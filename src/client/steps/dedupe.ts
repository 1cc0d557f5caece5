import type { Priority } from '../../rate-limit/gate.ts'
import { createListeners } from '../../base/listeners.ts'
import type { OnWait } from '../../rate-limit/pendingRequest.ts'
import type { ApiKeySource } from '../apiKey.ts'
import { type Call, errorContext, type KeyedCall, requestIdentity, type Step, type ValidCall } from '../Call.ts'
import { CallController, isFrameworkError, untilAborted } from '../../base/abort.ts'

/**
 * Joins identical GETs that are under way under the same key, so that they share one request. The key is read first:
 * nothing is shared between keys.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function dedupe(apiKeys: ApiKeySource): Step<ValidCall, KeyedCall> {
  /** By key and by what they ask for. */
  const sharedCalls = new Map<string, SharedCall>()

  /** A list that was requested before a change may not show it, so later callers must not join that request. */
  const endWrite = <Outcome>(outcome: Outcome): Outcome => {
    sharedCalls.clear()
    return outcome
  }
  const failWrite = (error: unknown) => {
    throw endWrite(error)
  }

  const step: Step<ValidCall, KeyedCall> = async (call, next) => {
    const { signal, priority, onWait } = call
    const key = call.key ?? (await untilAborted(signal, () => apiKeys.read(errorContext(call))))
    const keyed = Object.assign(call, { key })
    if (call.operation.method !== 'GET') return next(keyed).then(endWrite, failWrite)

    const identity = requestIdentity(keyed)
    const known = sharedCalls.get(identity)
    const forget = () => {
      if (sharedCalls.get(identity) === shared) sharedCalls.delete(identity)
    }
    // Another schema reads another result from the same response.
    const shared = known?.schema === call.operation.output ? known : createSharedCall(keyed, next, forget)
    sharedCalls.set(identity, shared)
    try {
      return await shared.join({ signal, priority, onWait })
    } catch (error) {
      // The framework has ended the render that sent the request, perhaps not the one of this call.
      if (shared === known && isFrameworkError(error)) return step(keyed, next)
      throw error
    }
  }
  return step
}

interface SharedCall {
  readonly schema: unknown
  /** Settles with the shared result. A caller that aborts leaves; the last one to leave aborts the shared call. */
  readonly join: (caller: Caller) => Promise<unknown>
}

type Caller = Pick<Call, 'signal' | 'priority' | 'onWait'>

/** Makes the first call that of many callers: as urgent as the most urgent of them, under way until the last one has left. */
function createSharedCall(
  first: KeyedCall,
  next: (call: KeyedCall) => Promise<unknown>,
  onEnd: () => void,
): SharedCall {
  const controller = new CallController()
  const callers = new Set<Caller>()
  const priorityListeners = createListeners()
  let priority: Priority = 'background'
  /** The last news for callers: when the request leaves, or that it has left. */
  let wait: Parameters<OnWait> | undefined
  let result: Promise<unknown> | undefined
  let isSettled = false

  const shared = Object.assign(first, {
    signal: controller,
    priority: () => priority,
    onPriorityChange: priorityListeners.add,
    onWait: (...latest: Parameters<OnWait>) => {
      wait = latest
      for (const caller of callers) caller.onWait(...latest)
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

  async function join(caller: Caller): Promise<unknown> {
    const leave = () => {
      callers.delete(caller)
      // Cloudflare Workers do not let one request abort the signal of another one, not even of one that has ended.
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
    if (wait) caller.onWait(...wait)
    try {
      return await untilAborted(caller.signal, () => (result ??= perform()))
    } finally {
      caller.signal.removeEventListener('abort', leave)
      leave()
    }
  }

  return { schema: first.operation.output, join }
}
