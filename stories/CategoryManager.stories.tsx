import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { CategoryManager } from '../src/components/CategoryManager/CategoryManager.tsx'
import { labelsOf } from './support/labelsOf.ts'
import { openForm } from './support/openForm.ts'

const meta = preview.meta({ title: 'Components/CategoryManager', id: 'categorymanager', component: CategoryManager })

/** Uses the live service, if you choose one in the toolbar or in environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async (context) => {
    const { canvas } = context
    const name = labelsOf(context).categoryForm.title
    await expect(await canvas.findByRole('list')).toBeVisible()
    await expect(canvas.queryByRole('form', { name }) ?? canvas.getByRole('button', { name })).toBeVisible()
  },
})

/** The new category appears in the list at once, without another request for the list. */
export const Creating = meta.story({
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryForm, categoryList } = labelsOf(context)
    await canvas.findByText('Rabbit')
    await openForm(context)
    await userEvent.type(canvas.getByRole('textbox', { name: categoryForm.name }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: categoryForm.submit }))
    const list = canvas.getByRole('region', { name: categoryList.name })
    // `waitFor` looks again, because the created row replaces the pending one.
    await waitFor(() => expect(within(list).getByText('Hamster')).toBeVisible())
    // By then the row and the focus have their places.
    const form = canvas.getByRole('form')
    await expect(await within(form).findByText(categoryForm.created('Hamster'))).toBeVisible()
  },
})

/** “Show” clears the filter that hides the new category, and moves the focus to it. */
export const CreatedOutOfSight = meta.story({
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryForm } = labelsOf(context)
    await canvas.findByText('Rabbit')
    await userEvent.type(canvas.getByRole('searchbox'), 'Dog')
    await waitFor(() => expect(canvas.queryByText('Rabbit')).not.toBeInTheDocument())
    await openForm(context)
    await userEvent.type(canvas.getByRole('textbox', { name: categoryForm.name }), 'Hamster')
    await userEvent.click(canvas.getByRole('button', { name: categoryForm.submit }))
    await expect(await canvas.findByRole('button', { name: categoryForm.show })).toBeVisible()
  },
})

/** `headingLevel` adds headings, which name form and list. */
export const Headings = meta.story({
  args: { headingLevel: 2 },
  play: async (context) => {
    const { canvas } = context
    const { categoryForm, categoryList } = labelsOf(context)
    await expect(await canvas.findByRole('list')).toBeVisible()
    // In a narrow manager the button stands in the place of the heading.
    const isNarrow = canvas.queryByRole('button', { name: categoryForm.title })
    await expect(isNarrow ?? canvas.getByRole('heading', { level: 2, name: categoryForm.title })).toBeVisible()
    await expect(canvas.getByRole('heading', { level: 2, name: categoryList.name })).toBeVisible()
  },
})

/** Where the form is not beside the list, the button in the empty list opens it. */
export const Empty = meta.story({
  globals: { width: '360' },
  parameters: { petstore: { categories: [] } },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryForm, categoryList } = labelsOf(context)
    const list = canvas.getByRole('region', { name: categoryList.name })
    await userEvent.click(await within(list).findByRole('button', { name: categoryForm.submit }))
    await expect(canvas.getByRole('textbox', { name: categoryForm.name })).toHaveFocus()
  },
})

/** Below 44em the form is behind a button, and the badge is a line. */
export const Narrow = meta.story({
  globals: { width: '240' },
  play: async (context) => {
    const { canvas } = context
    const { categoryForm } = labelsOf(context)
    await expect(await canvas.findByRole('list')).toBeVisible()
    await expect(canvas.getByRole('button', { name: categoryForm.title, expanded: false })).toBeVisible()
    await expect(canvas.queryByRole('form')).toBeNull()
  },
})

/** The button opens the form, which takes the focus. A creation closes it. */
export const NarrowAndOpen = meta.story({
  globals: { width: '360' },
  play: async (context) => {
    const { canvas } = context
    await openForm(context)
    await expect(canvas.getByRole('textbox', { name: labelsOf(context).categoryForm.name })).toHaveFocus()
  },
})
