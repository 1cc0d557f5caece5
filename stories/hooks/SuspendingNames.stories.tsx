import { expect } from 'storybook/test'
import { alwaysFail, neverRespond } from '../../.storybook/faults.ts'
import preview from '../../.storybook/preview.tsx'
import { silenceCaughtErrors } from '../support/silenceCaughtErrors.ts'
import { asExample } from './asExample.tsx'
import { SuspendingNames } from './SuspendingNames.tsx'

const meta = preview.meta({
  title: 'Examples/Suspense',
  component: SuspendingNames,
  parameters: { react: silenceCaughtErrors },
  decorators: [asExample],
})

export const Default = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})

export const Loading = meta.story({
  parameters: { petstore: neverRespond },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Loading…')).toBeVisible()
  },
})

export const Failed = meta.story({
  parameters: { petstore: { prepare: alwaysFail({ connection: 'lost-before' }) } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('You seem to be offline.')).toBeVisible()
  },
})

/** “Try again” resets the boundary, which loads the categories again. */
export const FailedThenRetried = meta.story({
  parameters: {
    petstore: {
      // As slow as a network: within a few milliseconds, React may warn about SWR's promises.
      latency: 50,
      prepare: (service) => service.failNext({ connection: 'lost-before' }),
    },
  },
  play: async ({ canvas }) => {
    const retry = await canvas.findByRole('button', { name: 'Try again' })
    retry.click() // not with userEvent: it clicks inside React's `act`, which does not wait for Suspense
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})
