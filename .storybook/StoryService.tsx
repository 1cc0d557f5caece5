import { type ReactElement, type ReactNode, useState, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import type { RetryOptions } from '../src/client/PetstoreClientOptions.ts'
// `petstore-react/devtools` shows nothing in a production build, and the published playground is one.
import { PetstoreDevtoolsPanel } from '../src/devtools/production.ts'
import { type PetstoreClient, PetstoreProvider } from '../src/index.ts'
import { createMemoryStore } from '../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../src/testing.ts'
import { liveService } from './liveService.ts'
import { locales } from './locales.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import type { ToolbarGlobals } from './toolbar.ts'

/** `parameters.petstore` of a story: how its mock service behaves. */
export interface ServiceParameters extends PetstoreServiceOptions {
  /** Replaces `plan`: this many requests a day. The day ends an hour or more after the story has started. */
  readonly dailyLimit?: number
  /** Called with the service before the story starts, for `failNext` and the like. */
  readonly prepare?: (service: PetstoreService) => void
  /** The API key that the story uses. Default `demo`. */
  readonly apiKey?: string
  /** How the story's client retries. By default it gives up at once. */
  readonly retry?: RetryOptions
  /** Makes the story's client, for states that no response of the service causes. */
  readonly createClient?: () => PetstoreClient
  /** Whether the story can use the live service of the toolbar. Other stories depend on their mock service. */
  readonly live?: boolean
  /**
   * Whether the play function needs what a page has only once, such as the live region or the fault that the developer tools
   * give the next request. On a docs page, beside other stories, it then does not run.
   */
  readonly playsAlone?: boolean
}

interface StoryServiceProps {
  readonly parameters: ServiceParameters
  readonly globals: ToolbarGlobals
  /** Whether to show the developer tools below the story. */
  readonly showsTools?: boolean
  readonly children: ReactNode
}

/** Gives one story its own service, cache and request limit. */
export function StoryService({ parameters, globals, showsTools = false, children }: StoryServiceProps): ReactElement {
  const { plan, locale } = globals
  const scenario: Scenario | undefined = globals.scenario === 'story' ? undefined : scenarios[globals.scenario]
  const [service] = useState(() => createMockService(scenario, parameters, globals))
  const [cache] = useState(() => new Map())
  const [rateLimitStore] = useState(createMemoryStore)
  const [client] = useState(() => (scenario ? undefined : parameters.createClient?.()))
  const chosen = useSyncExternalStore(liveService.subscribe, liveService.get)
  const live = parameters.live ? chosen : null

  // Without a scenario the story stays in its state: no timeout, no wait, no retry. With one the client behaves as in an app.
  const { retry = { attempts: 1, maxWait: 0 } } = parameters
  const clientOptions = scenario ? {} : { timeout: Infinity, retry }
  const mock = {
    baseUrl: service.baseUrl,
    quickstartBaseUrl: service.quickstartBaseUrl,
    apiKey: (scenario ?? parameters).apiKey ?? 'demo',
    fetch: service.fetch,
    rateLimitStore,
    ...clientOptions,
  }
  return (
    <SWRConfig value={{ provider: () => cache, revalidateOnFocus: false }}>
      <PetstoreProvider {...(live ?? (client ? { client } : mock))} labels={locales[locale]}>
        {children}
        {showsTools && <PetstoreDevtoolsPanel />}
      </PetstoreProvider>
      <p className="story-service" lang="en" dir="ltr">
        {/* Not the address of the live service: Storybook's channel sends texts of the page to Storybook's server. */}
        {live ? 'Live service' : `Mock service: ${service.baseUrl}`}
        {live && (scenario || plan !== 'story') && ' (the scenario and plan apply to the mock service only)'}
        {chosen && !live && ' (this story always uses the mock service)'}
      </p>
    </SWRConfig>
  )
}

const origins = { production: 'https://petstore.test', staging: 'https://staging.petstore.test' }

/** A scenario of the toolbar replaces the story's own parameters. */
function createMockService(
  scenario: Scenario | undefined,
  parameters: ServiceParameters,
  { plan, address }: ToolbarGlobals,
): Pick<PetstoreService, 'baseUrl' | 'quickstartBaseUrl' | 'fetch'> {
  const { prepare, dailyLimit } = parameters
  const service = createPetstoreService({
    ...(!scenario && dailyLimit !== undefined && { plan: [{ limit: dailyLimit, per: windowLength(Date.now()) }] }),
    ...(scenario ? scenario.options : parameters),
    ...(plan !== 'story' && { plan }),
  })
  const prepareService = scenario ? scenario.prepare : prepare
  prepareService?.(service)
  return { fetch: scenario?.fetch?.(service) ?? service.fetch, ...service.addresses(origins[address]) }
}

/**
 * The length (ms) of a window that runs now and ends at midnight UTC, or at the noon after it if midnight is near. The
 * service counts windows from the epoch. So a sixtieth of the time from the epoch to that end fits: the sixtieth ends there.
 *
 * @param now - epoch ms
 */
function windowLength(now: number): number {
  const hour = 3_600_000
  const midnight = Math.ceil(now / (24 * hour)) * 24 * hour
  return (midnight - now > hour ? midnight : midnight + 12 * hour) / 60
}
