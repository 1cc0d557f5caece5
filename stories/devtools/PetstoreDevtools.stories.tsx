import { expect } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
// `petstore-react/devtools` shows nothing in a production build, and the published playground is one.
import { PetstoreDevtools } from '../../src/devtools/production.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { CallButtons } from './CallButtons.tsx'
import { createStaticClient } from './staticClient.ts'

const meta = preview.meta({
  title: 'Developer tools/PetstoreDevtools',
  id: 'devtools-button',
  component: PetstoreDevtools,
  tags: ['!autodocs'], // the button stands in a corner of the page: those of all stories would lie on each other
  render: (args) => (
    <>
      <CallButtons />
      <PetstoreDevtools {...args} />
    </>
  ),
})

async function open({ canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>): Promise<void> {
  await userEvent.click(canvas.getByRole('button', { name: 'Petstore tools' }))
  await expect(canvas.getByRole('region', { name: 'Petstore developer tools' })).toHaveFocus()
}

export const Closed = meta.story({
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Petstore tools', expanded: false })).toBeVisible()
  },
})

/** Escape closes the panel, and the button gets the focus back. */
export const Open = meta.story({
  play: async (context) => {
    const { canvas, userEvent } = context
    await open(context)
    await userEvent.keyboard('{Escape}')
    await expect(canvas.getByRole('button', { name: 'Petstore tools', expanded: false })).toHaveFocus()
    await open(context)
    await expect(await canvas.findByText('No calls wait.')).toBeInTheDocument()
  },
})

/** The button and the panel stand on the other side. The panel itself is in English, from left to right. */
export const RightToLeft = meta.story({
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  parameters: { petstore: { createClient: createStaticClient } },
  render: (args) => <PetstoreDevtools {...args} />,
  play: async (context) => {
    await open(context)
    const button = context.canvas.getByRole('button', { name: 'Petstore tools' })
    await expect(button.getBoundingClientRect().left).toBeLessThan(innerWidth / 2)
  },
})
