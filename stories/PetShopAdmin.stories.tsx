import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { PetShopAdmin } from './petShop/PetShopAdmin.tsx'
import { formatOf, labelsOf } from './support/labelsOf.ts'
import { openForm } from './support/openForm.ts'
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
  play: async (context) => {
    const { canvas } = context
    const { name } = labelsOf(context).categoryList
    await expect(await canvas.findByRole('region', { name })).toBeVisible()
    await expect(canvas.getByRole('region', { name: 'Message to the suppliers' })).toBeVisible()
  },
})

/** Someone creates a category and sends a message. The list, the numbers and the request limit follow. */
export const AtWork = meta.story({
  parameters: { petstore: { dailyLimit: 60 } },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryForm, categoryList, messageComposer, rateLimitBadge } = labelsOf(context)
    const list = await canvas.findByRole('region', { name: categoryList.name })
    await expect(within(list).getByText('Rabbit')).toBeVisible()
    await openForm(context)
    await userEvent.type(canvas.getByRole('textbox', { name: categoryForm.name }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: categoryForm.submit }))
    await waitFor(() => expect(within(list).getByText('Hamster')).toBeVisible())
    await expect(canvas.getByText('6')).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox', { name: messageComposer.message }), 'Twenty hamsters, please.')
    await userEvent.click(canvas.getByRole('button', { name: messageComposer.send }))
    await expect(await canvas.findByText(messageComposer.queued)).toBeVisible()
    // Three requests: one for the list, one for the category, one for the message.
    const left = rateLimitBadge.remaining(57, 60, formatOf(context))
    await waitFor(() => {
      const [badge] = canvas.getAllByRole('group', { name: (name) => name.startsWith(rateLimitBadge.title) })
      return expect(badge).toHaveAccessibleName(expect.stringContaining(left))
    })
  },
})

/** The list fails to load. People see one notice, and the rest of the page works. */
export const Offline = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async (context) => {
    const { canvas } = context
    const { errorNotice, messageComposer } = labelsOf(context)
    const notice = await canvas.findByRole('group', { name: errorNotice.errors.network.title })
    await expect(within(notice).getByRole('button', { name: errorNotice.retry })).toBeVisible()
    await expect(canvas.getByRole('textbox', { name: messageComposer.message })).toBeVisible()
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async (context) => {
    const { canvas } = context
    const { errorNotice, rateLimitBadge } = labelsOf(context)
    const { title } = errorNotice.errors.authentication
    await expect(await canvas.findByRole('group', { name: title })).toBeVisible()
    const badge = canvas.getByRole('group', { name: (name) => name.startsWith(rateLimitBadge.title) })
    await expect(badge).toHaveAccessibleName(expect.stringContaining(rateLimitBadge.rejected))
  },
})

export const Phone = meta.story({
  globals: { width: '360' },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})
