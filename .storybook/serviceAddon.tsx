import { type ReactElement, type ReactNode, useState, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import { definePreviewAddon } from 'storybook/internal/csf'
import { PetstoreProvider } from '../src/index.ts'
import { createMemoryStore } from '../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../src/testing.ts'
import { type LiveService, onMessage, sendMessage } from './liveService.ts'

/** `parameters.petstore` of a story: the service that it shows its component on. */
interface ServiceParameters extends PetstoreServiceOptions {
  /** What else is to happen to the service before the story starts, such as `failNext`. */
  readonly prepare?: (service: PetstoreService) => void
  /** The key that the story uses. Default `demo`. */
  readonly apiKey?: string
  /** Whether the story goes to the live service, when one is chosen. The others need the one in memory. */
  readonly live?: boolean
}

interface ServiceTypes {
  parameters: { petstore?: ServiceParameters }
}

/** Gives every story a Petstore service, a cache and a rate limit of its own, so that nothing leaks from one to the next. */
export const petstoreService = () =>
  definePreviewAddon<ServiceTypes>({
    decorators: [
      (Story, { id, parameters }) => (
        <StoryService key={id} parameters={(parameters as ServiceTypes['parameters']).petstore ?? {}}>
          <Story />
        </StoryService>
      ),
    ],
  })

function StoryService(props: { parameters: ServiceParameters; children: ReactNode }): ReactElement {
  const { prepare, apiKey = 'demo', live: mayBeLive = false, ...options } = props.parameters
  const [service] = useState(() => {
    const created = createPetstoreService(options)
    prepare?.(created)
    return created
  })
  const [cache] = useState(() => new Map())
  const [rateLimitStore] = useState(createMemoryStore)
  const chosen = useSyncExternalStore(subscribe, () => liveService)
  const live = mayBeLive ? chosen : null

  // Each story stays in its state: returning to the browser's tab asks nothing anew, nothing times out, failures show at
  // once. A live service gets what an app would send it.
  return (
    <SWRConfig value={{ provider: () => cache, revalidateOnFocus: false }}>
      <PetstoreProvider
        {...(live ?? {
          baseUrl: service.baseUrl,
          apiKey,
          fetch: service.fetch,
          rateLimitStore,
          timeout: Infinity,
          retry: { attempts: 1, maxWait: 0 },
        })}
      >
        {props.children}
      </PetstoreProvider>
      <p className="story-service">{live ? `Live service: ${live.baseUrl}` : 'In-memory service'}</p>
    </SWRConfig>
  )
}

// The key stays in memory: it is no story arg and no global, which would write it into the address.
let liveService = fromEnvironment()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Not in tests, and in development only: a built Storybook would carry the key to whoever opens it. */
function fromEnvironment(): LiveService | null {
  if (!import.meta.env.DEV || import.meta.env['VITEST']) return null
  const { STORYBOOK_BASE_URL: baseUrl, STORYBOOK_API_KEY: apiKey } = import.meta.env
  return typeof baseUrl === 'string' && baseUrl !== '' ? { baseUrl, apiKey: String(apiKey ?? '') } : null
}

if (parent !== window) {
  onMessage(
    () => parent,
    (message) => {
      if (message.type !== 'petstore/choose-service') return
      liveService = message.chosen ?? null
      for (const listener of listeners) listener()
    },
  )
  sendMessage(parent, { type: 'petstore/stories-loaded', baseUrl: liveService?.baseUrl ?? '' })
}
