/** A `fetch` without a response: it rejects when the request is aborted. */
export function noResponse({ signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
