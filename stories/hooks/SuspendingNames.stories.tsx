import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { SuspendingNames } from './SuspendingNames.tsx'
import { WithSource } from './WithSource.tsx'

const meta = preview.meta({
  title: 'Examples/Suspense',
  component: SuspendingNames,
  // What the boundary catches and shows is no news for the console.
  parameters: { react: { rootOptions: { onCaughtError: () => {} } } },
  decorators: [
    (Story) => (
      <WithSource file="SuspendingNames">
        <Story />
      </WithSource>
    ),
  ],
})

export const Default = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})

export const Loading = meta.story({
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Loading…')).toBeVisible()
  },
})

export const Failed = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }, 1_000) } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('You seem to be offline.')).toBeVisible()
  },
})

/** The boundary forgets the failure and asks again. */
export const FailedThenRetried = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async ({ canvas }) => {
    const retry = await canvas.findByRole('button', { name: 'Try again' })
    retry.click() // by itself: userEvent clicks within React's `act`, which waits for nothing that suspends
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})
