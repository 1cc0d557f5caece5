type WebHandler = (request: Request) => Promise<Response>

/**
 * One function for each method, as Next's route handlers and others want them.
 *
 * @example
 * // app/api/petstore/[...path]/route.ts
 * export const { GET, POST } = toRouteHandlers(handler)
 */
export function toRouteHandlers(
  handler: WebHandler,
): Readonly<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', WebHandler>> {
  // A framework passes a second argument of its own.
  const handle: WebHandler = (request) => handler(request)
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}
