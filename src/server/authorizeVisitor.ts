import type { Operation } from '../contract/defineOperation.ts'
import type { PetstoreHandlerOptions } from './PetstoreHandlerOptions.ts'
import { Refusal } from './Refusal.ts'

/** The user of all visitors where the app does not tell them apart. */
const everybody = ''

/**
 * The id of the visitor's user.
 *
 * @throws Refusal with 401 or 403, or whatever `authorize` throws
 */
export async function authorizeVisitor(
  request: Request,
  operation: Operation,
  authorize: PetstoreHandlerOptions['authorize'],
): Promise<string> {
  if (!authorize) return everybody
  const { url, method, headers, signal } = request
  const user: unknown = await authorize(new Request(url, { method, headers, signal }), operation)
  if (user === 403) throw new Refusal(403, 'forbidden', 'You may not do this.')
  // Also for what untyped code returns: whoever has no id is nobody.
  if (typeof user !== 'string' || user === '') throw new Refusal(401, 'unauthorized', 'Sign in first.')
  return user
}
