import { createStore } from './createStore.ts'
import { isTest } from './isTest.ts'
import { type LiveService, onMessage, sendMessage } from './serviceMessages.ts'
import { sideBySideFrames } from './SideBySide.tsx'

/**
 * The live service that the toolbar or the environment variables choose; `null` is the mock service. It stays in memory:
 * a story arg or a Storybook global would write the API key into the page's address.
 */
export const liveService = createStore(readEnvironment())

/** The service of the environment variables. None in a built Storybook, which would publish the API key, nor in tests. */
function readEnvironment(): LiveService | null {
  if (!import.meta.env.DEV || isTest) return null
  const { STORYBOOK_BASE_URL: baseUrl, STORYBOOK_API_KEY: apiKey } = import.meta.env
  return typeof baseUrl === 'string' && baseUrl !== '' ? { baseUrl, apiKey: String(apiKey ?? '') } : null
}

function forwardChoice(frame: Window | null | undefined): void {
  if (frame) sendMessage(frame, { type: 'petstore/choose-service', chosen: liveService.get() })
}

if (parent !== window) {
  onMessage(
    () => parent,
    (message) => {
      if (message.type !== 'petstore/choose-service') return
      liveService.set(message.chosen ?? null)
      for (const getFrame of sideBySideFrames) forwardChoice(getFrame())
    },
  )
  sendMessage(parent, { type: 'petstore/stories-loaded', baseUrl: liveService.get()?.baseUrl ?? '' })
}

for (const getFrame of sideBySideFrames) {
  onMessage(getFrame, (message) => {
    if (message.type === 'petstore/stories-loaded') forwardChoice(getFrame())
  })
}
