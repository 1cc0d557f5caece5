import { withAbort } from '../base/abort.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Clock } from '../base/Clock.ts'
import type { PetstoreHandlerOptions } from './PetstoreHandlerOptions.ts'
import { Refusal } from './Refusal.ts'

/** The user of all visitors where the app does not tell them apart. */
const everybody = ''

export interface AuthorizationOptions extends Pick<PetstoreHandlerOptions, 'authorize'> {
  /** How long `authorize` may take, in ms. */
  readonly timeout: number
  readonly clock: Clock
}

/**
 * The id of the visitor's user.
 *
 * @throws Refusal with 401, 403 or 504, the signal's reason, or whatever `authorize` throws
 */
export async function authorizeVisitor(
  request: Request,
  operation: Operation,
  { authorize, timeout, clock }: AuthorizationOptions,
): Promise<string> {
  if (!authorize) return everybody
  const { url, method, headers } = request
  let cancelTimer = () => {}
  let user: unknown
  try {
    user = await withAbort(request.signal, async (signal, abort) => {
      cancelTimer = clock.wakeAfter(timeout, () => abort(new Refusal(504, 'timeout', 'This server took too long.')))
      return authorize(new Request(url, { method, headers, signal }), operation)
    })
  } finally {
    cancelTimer()
  }
  return identifyUser(user, { authorize })
}

/**
 * The id of a user as `authorize` returned it.
 *
 * @throws Refusal with 401 or 403
 */
export function identifyUser(user: unknown, { authorize }: Pick<AuthorizationOptions, 'authorize'>): string {
  if (!authorize) return everybody
  if (user === 403) throw new Refusal(403, 'forbidden', 'You may not do this.')
  // Also for what untyped code returns: whoever has no id is nobody.
  if (typeof user !== 'string' || user === '') throw new Refusal(401, 'unauthorized', 'Sign in first.')
  return user
}
