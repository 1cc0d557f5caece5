import { type ReactElement, useEffect, useRef, useState } from 'react'
import { expect, fn, waitFor, within } from 'storybook/test'
import { alwaysFail, neverRespond } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import {
  CategoryForm,
  CategoryList,
  createPetstoreClient,
  InputValidationError,
  type PetstoreClient,
  PetstoreProvider,
  usePendingCategories,
} from '../src/index.ts'
import { createPetstoreService, type Fault } from '../src/testing.ts'
import { expectNarrowFit, narrow, rightToLeft } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'
import { RateLimitedProvider } from './support/RateLimitedProvider.tsx'

const meta = preview.meta({
  title: 'Components/CategoryForm',
  id: 'categoryform',
  component: CategoryForm,
  args: { onCreated: fn() },
})

type Canvas = ReturnType<typeof within>

const nameField = (canvas: Canvas) => canvas.getByRole('textbox', { name: 'Name' })
const descriptionField = (canvas: Canvas) => canvas.getByRole('textbox', { name: 'Description (optional)' })
const createButton = (canvas: Canvas) => canvas.getByRole('button', { name: 'Create category' })

async function submit(
  { canvas, userEvent }: Pick<PlayContext, 'canvas' | 'userEvent'>,
  name = 'Rabbit',
  description = 'Soft ears',
): Promise<void> {
  await userEvent.type(nameField(canvas), name)
  await userEvent.type(descriptionField(canvas), description)
  await userEvent.click(createButton(canvas))
}

async function expectTextKept(canvas: Canvas): Promise<void> {
  await expect(nameField(canvas)).toHaveValue('Rabbit')
  await expect(descriptionField(canvas)).toHaveValue('Soft ears')
}

const badRequest = (code: string, message: string): Fault => ({
  status: 400,
  body: JSON.stringify({ code, message, status: 400 }),
})

/** Uses the live service, if you choose one in the toolbar or in environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toBeRequired()
    await expect(createButton(canvas)).toBeEnabled()
  },
})

/** Try the props in the controls. The story "Optimistic" shows what `optimistic` does. */
export const Playground = meta.story({
  args: { optimistic: false, defaultValues: { name: 'Guinea pig' } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toHaveValue('Guinea pig')
  },
})

/** The fields are empty and ready for the next category. */
export const Created = meta.story({
  play: async ({ canvas, userEvent, args }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText('Created “Rabbit”.')).toBeVisible()
    await expect(nameField(canvas)).toHaveValue('')
    await expect(nameField(canvas)).toHaveFocus()
    await expect(args.onCreated).toHaveBeenCalledOnce()
  },
})

/** The form checks the name on submit, not while someone types. */
export const NameMissing = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(createButton(canvas))
    await expect(nameField(canvas)).toHaveFocus()
    await expect(nameField(canvas)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField(canvas)).toHaveAccessibleDescription('For example, Rabbit Enter a name.')
  },
})

export const Sending = meta.story({
  parameters: { petstore: neverRespond },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByRole('button', { name: 'Creating…' })).toHaveFocus()
    await expectTextKept(canvas)
  },
})

/** The rate limit holds the request back. It is sent on its own when the wait is over, unless someone cancels it. */
export const Waiting = meta.story({
  render: (args) => (
    <RateLimitedProvider retryAfter={42}>
      <CategoryForm {...args} />
    </RateLimitedProvider>
  ),
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText(/Will be created in (\d+ seconds|1 minute)\./)).toBeVisible()
    await expect(await canvas.findByRole('button', { name: 'Creating…' })).toHaveAccessibleDescription(
      'Waiting for the rate limit.',
    )
    await expect(canvas.getByRole('button', { name: 'Cancel' })).toBeVisible()
  },
})

/** The text stays in the fields. */
export const Canceled = meta.story({
  render: Waiting.input.render,
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await userEvent.click(await canvas.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(createButton(canvas)).toHaveFocus())
    await expectTextKept(canvas)
  },
})

/** The service's error message names the field. */
export const RefusedName = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest('invalid_name', 'The name is taken already.')) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await waitFor(() => expect(nameField(canvas)).toHaveFocus())
    await expect(nameField(canvas)).toHaveAccessibleDescription(/Message from the service: The name is taken already\./)
    await expectTextKept(canvas)
  },
})

/** The service's error message names no field, or several. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest('conflict', 'Il y a déjà une telle catégorie.')) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const summary = await canvas.findByRole('group', { name: 'Check these fields' })
    await expect(summary).toHaveFocus()
    await expect(within(summary).getByText('Il y a déjà une telle catégorie.')).toHaveAttribute('dir', 'auto')
    await expectTextKept(canvas)
  },
})

function createRefusingClient(): PetstoreClient {
  const issues = ['name', 'description'].map((field) => ({ message: 'unexpected value', path: [field] }))
  const { baseUrl, fetch } = createPetstoreService()
  return {
    ...createPetstoreClient({ baseUrl, fetch }),
    createCategory: () =>
      Promise.reject(new InputValidationError({ operation: 'createCategory', attempts: 0 }, issues)),
  }
}

/** Each problem appears next to its field, and in a summary with links to the fields. */
export const SeveralProblems = meta.story({
  render: function SeveralProblems(args) {
    const [client] = useState(createRefusingClient)
    return (
      <PetstoreProvider client={client}>
        <CategoryForm {...args} />
      </PetstoreProvider>
    )
  },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const summary = await canvas.findByRole('group', { name: 'Check these fields' })
    await expect(summary).toHaveFocus()
    await userEvent.click(within(summary).getByRole('link', { name: "This description can't be used." }))
    await expect(descriptionField(canvas)).toHaveFocus()
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByRole('group', { name: 'API key rejected' })).toBeVisible()
    await expectTextKept(canvas)
  },
})

/** The wait is too long for the client. The notice counts down, and a person sends the request again. */
export const RateLimited = meta.story({
  parameters: {
    petstore: { prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '60' } }) },
  },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByRole('group', { name: 'Request limit reached' })).toBeVisible()
    await expectTextKept(canvas)
  },
})

/** The response was lost, so the category may exist. Only the button, which says so, sends the same text again. */
export const LostResponse = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-after' }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const notice = await canvas.findByRole('group', { name: "Can't reach the service" })
    await expect(notice).toHaveTextContent('It may still have been created.')
    await expect(canvas.getByRole('button', { name: 'Create anyway' })).toBeVisible()
    await expectTextKept(canvas)
  },
})

/** The service fails once; the retry creates the category. */
export const FailedThenRetried = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ status: 503 }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await userEvent.click(await canvas.findByRole('button', { name: 'Create anyway' }))
    await expect(await canvas.findByText('Created “Rabbit”.')).toBeVisible()
    await expect(canvas.queryByRole('group')).not.toBeInTheDocument()
  },
})

/** The category was created, but the response cannot be read. The form is ready for the next one. */
export const UnreadableResponse = meta.story({
  parameters: { petstore: { prepare: alwaysFail({ body: 'malformed-json' }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText('Created “Rabbit”, but the response couldn’t be read.')).toBeVisible()
    await expect(nameField(canvas)).toHaveValue('')
  },
})

export const DefaultValues = meta.story({
  args: { defaultValues: { name: 'Guinea pig', description: 'Small, round, loud' } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toHaveValue('Guinea pig')
    await expect(descriptionField(canvas)).toHaveValue('Small, round, loud')
  },
})

/** `actions` adds controls next to the button. */
export const Actions = meta.story({
  args: {
    actions: (
      <button type="reset" className="petstore-button petstore-button-quiet">
        Clear
      </button>
    ),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(nameField(canvas), 'Rabbit')
    await userEvent.click(canvas.getByRole('button', { name: 'Clear' }))
    await expect(nameField(canvas)).toHaveValue('')
  },
})

/** `labels` changes the texts of this form. */
export const CustomLabels = meta.story({
  args: { labels: { title: 'Add a pet group', nameHint: 'What do you call them?', submit: 'Add' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('form', { name: 'Add a pet group' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Add' })).toBeVisible()
    await expect(nameField(canvas)).toHaveAccessibleDescription('What do you call them?')
  },
})

/** `classNames` adds your own classes to the component's parts. */
export const ClassNames = meta.story({
  args: { classNames: { input: 'story-round', submit: 'story-round', hint: 'story-small' } },
  decorators: [
    (Story) => (
      <>
        <style>{'.story-round { border-radius: 1.5em } .story-small { font-size: 0.8125em }'}</style>
        <Story />
      </>
    ),
  ],
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toHaveStyle({ borderRadius: '24px' })
  },
})

function PendingNames(): ReactElement {
  const pending = usePendingCategories()
  return <p>Pending: {pending.map(({ name }) => name).join(', ') || 'none'}</p>
}

/** With `optimistic`, the app can show the new category at once: here below the form. */
export const Optimistic = meta.story({
  args: { optimistic: true },
  parameters: { petstore: neverRespond },
  render: (args) => (
    <>
      <CategoryForm {...args} />
      <PendingNames />
    </>
  ),
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText('Pending: Rabbit')).toBeVisible()
  },
})

/** The new category appears in the list, without another request. */
export const WithList = meta.story({
  render: (args) => (
    <div style={{ display: 'grid', gap: '2rem' }}>
      <CategoryForm {...args} />
      <CategoryList />
    </div>
  ),
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText('Rabbit')
    await submit({ canvas, userEvent }, 'Gecko', 'Walks on walls')
    await expect(await canvas.findByText('Walks on walls')).toBeVisible()
  },
})

/** Each form keeps its own state. */
export const TwoForms = meta.story({
  render: (args) => (
    <div style={{ display: 'grid', gap: '2rem' }}>
      <CategoryForm {...args} aria-label="First" />
      <CategoryForm {...args} aria-label="Second" />
    </div>
  ),
  play: async ({ canvas, userEvent }) => {
    const second = within(canvas.getByRole('form', { name: 'Second' }))
    await userEvent.click(createButton(second))
    await expect(nameField(second)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField(within(canvas.getByRole('form', { name: 'First' })))).toHaveAttribute(
      'aria-invalid',
      'false',
    )
  },
})

function FormInDialog(props: Parameters<typeof CategoryForm>[0]): ReactElement {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialogRef.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby="dialog-title"
      style={{ boxSizing: 'border-box', inlineSize: 'min(100%, 28rem)', padding: '1.5rem', borderRadius: '0.75rem' }}
    >
      <h2 id="dialog-title" style={{ marginBlock: '0 1rem', fontSize: '1.25rem' }}>
        New category
      </h2>
      <CategoryForm
        {...props}
        aria-labelledby="dialog-title"
        actions={
          <button
            type="button"
            className="petstore-button petstore-button-quiet"
            onClick={() => dialogRef.current?.close()}
          >
            Close
          </button>
        }
      />
    </dialog>
  )
}

/** The form makes its announcements inside the dialog, where screen readers can reach them. */
export const InDialog = meta.story({
  parameters: { docs: { story: { inline: false, height: '28rem' } } },
  render: (args) => <FormInDialog {...args} />,
  play: async ({ canvas, userEvent }) => {
    const dialog = await canvas.findByRole('dialog', { name: 'New category' })
    await submit({ canvas, userEvent })
    await expect(await within(canvas.getByRole('form')).findByText('Created “Rabbit”.')).toBeVisible()
    await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent('Created “Rabbit”.'))
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // the theme would apply to the whole docs page
  parameters: Refused.input.parameters,
  play: Refused.input.play,
})

/** Each text keeps its own direction, even while someone types. */
export const RightToLeft = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest('invalid_name', 'האם יש כבר name כזה?')) } },
  decorators: [rightToLeft],
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent }, 'ארנבים', 'Soft ears, sharp teeth')
    await waitFor(() => expect(nameField(canvas)).toHaveAttribute('aria-invalid', 'true'))
  },
})

/** 240 px, the narrowest supported width. */
export const Narrow = meta.story({
  decorators: [narrow],
  args: Actions.input.args,
  render: Waiting.input.render,
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent }, 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz')
    await canvas.findByText(/Will be created in/)
    const form = canvas.getByRole('form')
    await expectNarrowFit(form)
  },
})
