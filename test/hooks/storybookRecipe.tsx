import type { Decorator } from '@storybook/react-vite'
import { type ReactNode, useState } from 'react'
import { SWRConfig } from 'swr'
import { PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'

export interface ServiceParameters extends PetstoreServiceOptions {
  /** Called before the story starts, for `failNext` and the like. */
  prepare?: (service: PetstoreService) => void
}

function StoryService({ prepare, children, ...options }: ServiceParameters & { children: ReactNode }) {
  const [service] = useState(() => {
    const created = createPetstoreService(options)
    prepare?.(created)
    return created
  })
  const [cache] = useState(() => new Map())
  return (
    <SWRConfig value={{ provider: () => cache }}>
      <PetstoreProvider {...service.providerProps()}>{children}</PetstoreProvider>
    </SWRConfig>
  )
}

/** Gives each story its own service, with the options in `parameters.petstore`. */
export const withPetstore: Decorator = (Story, { parameters }) => (
  <StoryService {...parameters['petstore']}>
    <Story />
  </StoryService>
)
