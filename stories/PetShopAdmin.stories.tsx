import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { PetShopAdmin } from './petShop/PetShopAdmin.tsx'
import { silenceCaughtErrors } from './support/silenceCaughtErrors.ts'

const meta = preview.meta({
  title: 'Demos/Pet shop',
  id: 'pet-shop',
  component: PetShopAdmin,
  parameters: { react: silenceCaughtErrors },
})

/** Uses the live service, if you choose one in the toolbar or in environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('region', { name: 'Categories' })).toBeVisible()
    await expect(canvas.getByRole('region', { name: 'Message to the suppliers' })).toBeVisible()
  },
})

/** Someone creates a category and sends a message. The list, the numbers and the quota follow. */
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
    await expect(await canvas.findByText('Queued')).toBeVisible()
    // Three requests: one for the list, one for the category, one for the message.
    await waitFor(() => {
      const [badge] = canvas.getAllByRole('group', { name: /^API requests/ })
      return expect(badge).toHaveAccessibleName(/57 of 60 requests left/)
    })
  },
})

/** The list fails to load. People see one notice, and the rest of the page works. */
export const Offline = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async ({ canvas }) => {
    const notice = await canvas.findByRole('group', { name: "Can't reach the service" })
    await expect(within(notice).getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(canvas.getByRole('textbox', { name: 'Message' })).toBeVisible()
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('group', { name: 'API key rejected' })).toBeVisible()
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
  tags: ['!autodocs'], // the theme would apply to the whole docs page
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})
