/** What a page tells the benchmark. Times are epoch ms. */
export type PageEvent = { readonly at: number; readonly id: number } & (
  | { readonly type: 'sent' }
  /** A response's head, or a failure of `fetch` (status 0). */
  | { readonly type: 'received'; readonly status: number }
  /** The end of a call. */
  | { readonly type: 'settled'; readonly succeeded: boolean }
)

declare global {
  interface Window {
    report: (event: PageEvent) => void
  }
}

let requests = 0

/** Reports each request, and the head of its response. */
export async function reportingFetch(input: Request): Promise<Response> {
  const id = requests++
  window.report({ type: 'sent', at: Date.now(), id })
  const received = (status: number) => window.report({ type: 'received', at: Date.now(), id, status })
  try {
    const response = await fetch(input)
    received(response.status)
    return response
  } catch (error) {
    received(0)
    throw error
  }
}
