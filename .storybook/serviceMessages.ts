/** A Petstore service that is reached over HTTP, instead of the mock service. */
export interface LiveService {
  readonly baseUrl: string
  readonly apiKey: string
}

/**
 * Messages between the toolbar and the frame of the stories. They use `postMessage`, because Storybook's own channel
 * would send the API key to Storybook's server.
 */
export type ServiceMessage =
  /** From the toolbar: the service to use. `null` is the mock service. */
  | { readonly type: 'petstore/choose-service'; readonly chosen: LiveService | null }
  /** From the stories, once they have loaded: the base URL they start with. `''` is the mock service. */
  | { readonly type: 'petstore/stories-loaded'; readonly baseUrl: string }
  /** From a frame of `SideBySide`, when its story has played. */
  | { readonly type: 'petstore/story-finished' }

export function sendMessage(target: Window, message: ServiceMessage): void {
  target.postMessage(message, location.origin)
}

/**
 * Calls `listener` for each message from a window, until the returned function is called. `getSender` is a function, because
 * a frame may reload.
 */
export function onMessage(
  getSender: () => Window | null | undefined,
  listener: (message: Partial<ServiceMessage>) => void,
): () => void {
  const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === getSender() && origin === location.origin && typeof data === 'object' && data) listener(data)
  }
  addEventListener('message', receive)
  return () => removeEventListener('message', receive)
}
