import type { Priority } from '../../rate-limit/gate.ts'
import { createListeners } from '../../rate-limit/listeners.ts'
import type { ApiKeySource } from '../apiKey.ts'
import { type Call, errorContext, type KeyedCall, requestIdentity, type ValidCall } from '../Call.ts'
import type { Step } from '../chainSteps.ts'

/**
 * Joins identical GETs that are under way under the same key, so that they share one request. The key is read first:
 * nothing is shared between keys.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function dedupe(apiKeys: ApiKeySource): Step<ValidCall, KeyedCall> {
  /** By key and by what they ask for. */
  const sharedCalls = new Map<string, SharedCall>()

  return async (call, next) => {
    const key = call.key ?? (await apiKeys.read(errorContext(call)))
    call.signal.throwIfAborted()
    const keyed = { ...call, key }
    if (call.operation.method !== 'GET') {
      try {
        return await next(keyed)
      } finally {
        // A list that was requested before a change may not show it, so later callers must not join that request.
        sharedCalls.clear()
      }
    }

    const identity = requestIdentity(keyed)
    const known = sharedCalls.get(identity)
    const forget = () => {
      if (sharedCalls.get(identity) === shared) sharedCalls.delete(identity)
    }
    // Another schema reads another result from the same response.
    const shared = known?.schema === call.operation.output ? known : createSharedCall(keyed, next, forget)
    sharedCalls.set(identity, shared)
    return shared.join(call)
  }
}

interface SharedCall {
  readonly schema: unknown
  /** Settles with the shared result. A caller that aborts leaves; the last one to leave aborts the shared call. */
  readonly join: (caller: Call) => Promise<unknown>
}

/** One call for many callers: as urgent as the most urgent of them, under way until the last one has left. */
function createSharedCall(
  first: KeyedCall,
  next: (call: KeyedCall) => Promise<unknown>,
  onEnd: () => void,
): SharedCall {
  const controller = new AbortController()
  const callers = new Set<Call>()
  const priorityListeners = createListeners()
  let priority: Priority = 'background'
  let waitsUntil: number | undefined
  let result: Promise<unknown> | undefined
  let isSettled = false

  const shared: KeyedCall = {
    ...first,
    signal: controller.signal,
    priority: () => priority,
    onPriorityChange: priorityListeners.add,
    onWait: (until) => {
      waitsUntil = until
      for (const caller of callers) caller.onWait(until)
    },
  }

  async function perform(): Promise<unknown> {
    try {
      return await next(shared)
    } finally {
      isSettled = true
      onEnd()
    }
  }

  async function join(caller: Call): Promise<unknown> {
    const leave = () => {
      callers.delete(caller)
      // Cloudflare Workers do not let one request abort the signal of another one, not even of one that has ended.
      if (callers.size > 0 || isSettled) return
      onEnd()
      controller.abort()
    }
    callers.add(caller)
    caller.signal.addEventListener('abort', leave, { once: true })
    if (caller.priority() === 'user' && priority === 'background') {
      priority = 'user'
      priorityListeners.call()
    }
    if (waitsUntil !== undefined) caller.onWait(waitsUntil)
    try {
      return await (result ??= perform())
    } finally {
      caller.signal.removeEventListener('abort', leave)
      leave()
    }
  }

  return { schema: first.operation.output, join }
}
