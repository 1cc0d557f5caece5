/** Looks it up at each call, since tests and tools replace the global `fetch`. */
export function globalFetch(request: Request): Promise<Response> {
  return globalThis.fetch(request)
}
