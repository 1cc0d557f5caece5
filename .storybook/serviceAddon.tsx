import { type ReactElement, type ReactNode, useState, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import { definePreviewAddon } from 'storybook/internal/csf'
import { PetstoreProvider } from '../src/index.ts'
import { createMemoryStore } from '../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../src/testing.ts'
import { isTest } from './isTest.ts'
import { type LiveService, onMessage, sendMessage } from './liveService.ts'
import { locales } from './locales.ts'
import { playInTurn } from './playInTurn.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { framesSideBySide, StoryFrame } from './StoryFrame.tsx'
import { initialGlobals, type ToolbarGlobals, toolbarMenus } from './toolbar.ts'

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
  globals: ToolbarGlobals
}

/**
 * Gives every story a Petstore service, a cache and a rate limit of its own, so that nothing leaks from one to the next;
 * anew whenever the toolbar changes what the service is like.
 */
export const petstoreService = () =>
  definePreviewAddon<ServiceTypes>({
    globalTypes: toolbarMenus,
    initialGlobals,
    beforeEach: (context) => {
      // Storybook's name for it.
      // oxlint-disable-next-line no-underscore-dangle
      const options = globalThis.__STORYBOOK_PREVIEW__?.currentRender?.renderOptions
      if (options) options.autoplay = isAsWritten(context)
    },
    afterEach: async (context) => {
      if (context.viewMode === 'docs' && isAsWritten(context)) await playInTurn(context)
    },
    decorators: [
      (Story, context) => {
        const { id, viewMode } = context
        const { petstore = {} } = context.parameters as ServiceTypes['parameters']
        const globals = { ...initialGlobals, ...context.globals } as ToolbarGlobals
        const { scenario, plan, address } = globals
        return (
          <StoryFrame storyId={id} isAlone={viewMode !== 'docs'} globals={globals}>
            <StoryService key={[id, scenario, plan, address].join()} parameters={petstore} globals={globals}>
              <Story />
            </StoryService>
          </StoryFrame>
        )
      },
    ],
  })

declare global {
  /** Storybook's own, by its own name, as far as it is needed here. */
  // oxlint-disable-next-line no-underscore-dangle
  var __STORYBOOK_PREVIEW__:
    | { readonly currentRender?: { readonly renderOptions?: { autoplay?: boolean } } }
    | undefined
}

/**
 * Play functions look for what the story's own service responses, in English. Under anything else they would fail, and
 * tell a designer who chose an empty service that it is empty. Storybook has no switch for that but the one used above.
 */
function isAsWritten(context: { readonly parameters: object; readonly globals: object }): boolean {
  const { petstore } = context.parameters as ServiceTypes['parameters']
  const { scenario, plan, locale, theme }: ToolbarGlobals = { ...initialGlobals, ...context.globals }
  const isLive = petstore?.live === true && liveService !== null
  return !isLive && scenario === 'story' && plan === 'story' && locale === 'en' && theme !== 'all'
}

const origins = { production: 'https://petstore.test', staging: 'https://staging.petstore.test' }

interface StoryServiceProps {
  readonly parameters: ServiceParameters
  readonly globals: ToolbarGlobals
  readonly children: ReactNode
}

function StoryService({ parameters, globals, children }: StoryServiceProps): ReactElement {
  const { prepare, apiKey, live: mayBeLive = false, ...options } = parameters
  const { plan, address } = globals
  const scenario: Scenario | undefined = globals.scenario === 'story' ? undefined : scenarios[globals.scenario]
  const [service] = useState(() => {
    const created = createPetstoreService({
      ...(scenario ? scenario.options : options),
      ...(plan !== 'story' && { plan }),
    })
    const prepareService = scenario ? scenario.prepare : prepare
    prepareService?.(created)
    return { ...created, fetch: scenario?.fetch?.(created) ?? created.fetch, ...created.addresses(origins[address]) }
  })
  const [cache] = useState(() => new Map())
  const [rateLimitStore] = useState(createMemoryStore)
  const chosen = useSyncExternalStore(subscribe, () => liveService)
  const live = mayBeLive ? chosen : null

  // Each story stays in its state: returning to the browser's tab asks nothing anew, nothing times out, failures show at
  // once. A live service, or a scenario of the toolbar, gets what an app would send it.
  const patience = scenario ? {} : { timeout: Infinity, retry: { attempts: 1, maxWait: 0 } }
  const own = {
    baseUrl: service.baseUrl,
    quickstartBaseUrl: service.quickstartBaseUrl,
    apiKey: (scenario ? scenario.apiKey : apiKey) ?? 'demo',
    fetch: service.fetch,
    rateLimitStore,
    ...patience,
  }
  return (
    <SWRConfig value={{ provider: () => cache, revalidateOnFocus: false }}>
      <PetstoreProvider {...(live ?? own)} labels={locales[globals.locale]}>
        {children}
      </PetstoreProvider>
      <p className="story-service" lang="en" dir="ltr">
        {/* The toolbar alone tells a live address: Storybook's channel carries what is written on the page. */}
        {live ? 'Live service' : `In-memory service: ${service.baseUrl}`}
        {live && (scenario || plan !== 'story') && ' (scenario and plan of the toolbar are for the one in memory)'}
        {chosen && !live && ' (this story needs a service of its own)'}
      </p>
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
  if (!import.meta.env.DEV || isTest) return null
  const { STORYBOOK_BASE_URL: baseUrl, STORYBOOK_API_KEY: apiKey } = import.meta.env
  return typeof baseUrl === 'string' && baseUrl !== '' ? { baseUrl, apiKey: String(apiKey ?? '') } : null
}

function use(chosen: LiveService | null): void {
  liveService = chosen
  for (const listener of listeners) listener()
  for (const frame of framesSideBySide) tellFrame(frame())
}

function tellFrame(frame: Window | null | undefined): void {
  if (frame) sendMessage(frame, { type: 'petstore/choose-service', chosen: liveService })
}

if (parent !== window) {
  onMessage(
    () => parent,
    (message) => {
      if (message.type === 'petstore/choose-service') use(message.chosen ?? null)
    },
  )
  sendMessage(parent, { type: 'petstore/stories-loaded', baseUrl: liveService?.baseUrl ?? '' })
}

for (const frame of framesSideBySide) {
  onMessage(frame, (message) => {
    if (message.type === 'petstore/stories-loaded') tellFrame(frame())
  })
}
