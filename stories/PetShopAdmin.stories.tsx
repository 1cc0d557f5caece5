import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { PetShopAdmin } from './petShop/PetShopAdmin.tsx'

/** What a boundary catches and shows is no news for the console. */
const react = { rootOptions: { onCaughtError: () => {} } }

const meta = preview.meta({ title: 'Demos/Pet shop', id: 'pet-shop', component: PetShopAdmin, parameters: { react } })

/** Talks to a live service, when one is chosen in the toolbar or by environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('region', { name: 'Categories' })).toBeVisible()
    await expect(canvas.getByRole('region', { name: 'Message to the suppliers' })).toBeVisible()
  },
})

/** A day's work: list, figures and quota all follow what is done. */
export const AtWork = meta.story({
  play: async ({ canvas, userEvent }) => {
    const list = await canvas.findByRole('region', { name: 'Categories' })
    await expect(within(list).getByText('Rabbit')).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox', { name: 'Name' }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: 'Create category' }))
    await waitFor(() => expect(within(list).getByText('Hamster')).toBeVisible())
    await expect(canvas.getByText('6')).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox', { name: 'Message' }), 'Twenty hamsters, please.')
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(await canvas.findByText('Queued by the service')).toBeVisible()
    // One for the list, one for the hamster, one for the message.
    await waitFor(() => {
      const [badge] = canvas.getAllByRole('group', { name: /^Rate limit/ })
      return expect(badge).toHaveAccessibleName(/57 of 60 requests left/)
    })
  },
})

/** The list cannot be had: told once, and the rest of the page works. */
export const Offline = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async ({ canvas }) => {
    const notice = await canvas.findByRole('group', { name: 'No connection' })
    await expect(within(notice).getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(canvas.getByRole('textbox', { name: 'Message' })).toBeVisible()
  },
})

export const WrongKey = meta.story({
  parameters: { petstore: { apiKey: 'not-the-key' } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('group', { name: 'Not signed in' })).toBeVisible()
  },
})

export const Phone = meta.story({
  globals: { width: '360' },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // it would darken the whole page
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})
