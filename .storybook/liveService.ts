/** A Petstore service reached over HTTP, instead of the one in memory. */
export interface LiveService {
  readonly baseUrl: string
  readonly apiKey: string
}

/**
 * What the toolbar and the frame of the stories tell each other, by `postMessage`: Storybook's own channel would carry
 * the key to its server too.
 */
export type ServiceMessage =
  /** From the toolbar: the service to use; `null` is the one in memory. */
  | { readonly type: 'petstore/choose-service'; readonly chosen: LiveService | null }
  /** From the stories, as soon as they are there: the base URL they start with, or `''`. */
  | { readonly type: 'petstore/stories-loaded'; readonly baseUrl: string }

export function sendMessage(to: Window, message: ServiceMessage): void {
  to.postMessage(message, location.origin)
}

/** Calls back for messages that come from `sender`; looked up each time, since a frame may be loaded anew. */
export function onMessage(
  sender: () => Window | null | undefined,
  receive: (message: Partial<ServiceMessage>) => void,
): void {
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === sender() && origin === location.origin && typeof data === 'object' && data) receive(data)
  })
}
