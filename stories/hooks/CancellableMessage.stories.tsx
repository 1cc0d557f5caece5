import { type ReactElement, useState } from 'react'
import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { createMemoryStore, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { CancellableMessage } from './CancellableMessage.tsx'
import { WithSource } from './WithSource.tsx'

const meta = preview.meta({
  title: 'Examples/Cancellable message',
  component: CancellableMessage,
  decorators: [
    (Story) => (
      <WithSource file="CancellableMessage">
        <Story />
      </WithSource>
    ),
  ],
})

export const Default = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Have the rabbits fed' }))
    await expect(await canvas.findByText('The service has taken it.')).toBeVisible()
  },
})

export const Cancelled = meta.story({
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Have the rabbits fed' }))
    await expect(await canvas.findByText('Sending…')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Cancel' }))
    await expect(await canvas.findByText(/^Cancelled\./)).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Have the rabbits fed' })).toHaveFocus()
  },
})

/** On a provider that waits as long as an app's would. */
function HeldBack(): ReactElement {
  const [options] = useState(() => {
    const service = createPetstoreService()
    service.failNext({ status: 429, headers: { 'Retry-After': '42' } })
    const { baseUrl, quickstartBaseUrl, fetch } = service
    return { baseUrl, quickstartBaseUrl, fetch, rateLimitStore: createMemoryStore() }
  })
  return (
    <PetstoreProvider {...options} apiKey="demo">
      <CancellableMessage />
    </PetstoreProvider>
  )
}

/** It leaves by itself when the time has come. */
export const Waiting = meta.story({
  render: () => <HeldBack />,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Have the rabbits fed' }))
    await expect(await canvas.findByText(/^Too many requests\. Leaves at/)).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Cancel' })).toBeVisible()
  },
})
