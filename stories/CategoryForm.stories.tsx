import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { expect, fn, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import {
  CategoryForm,
  CategoryList,
  createMemoryStore,
  createPetstoreClient,
  InputValidationError,
  type PetstoreClient,
  PetstoreProvider,
  usePendingCategories,
} from '../src/index.ts'
import { createPetstoreService, type Fault, type PetstoreService } from '../src/testing.ts'

const meta = preview.meta({
  title: 'Components/CategoryForm',
  id: 'categoryform',
  component: CategoryForm,
  args: { onCreated: fn() },
})

type Canvas = ReturnType<typeof within>
type User = { type: (element: Element, text: string) => Promise<void>; click: (element: Element) => Promise<void> }
interface Stage {
  readonly canvas: Canvas
  readonly userEvent: User
}

const nameField = (canvas: Canvas) => canvas.getByRole('textbox', { name: 'Name' })
const descriptionField = (canvas: Canvas) => canvas.getByRole('textbox', { name: 'Description (optional)' })
const createButton = (canvas: Canvas) => canvas.getByRole('button', { name: 'Create category' })

async function submit({ canvas, userEvent }: Stage, name = 'Rabbit', description = 'Soft ears'): Promise<void> {
  await userEvent.type(nameField(canvas), name)
  await userEvent.type(descriptionField(canvas), description)
  await userEvent.click(createButton(canvas))
}

async function textIsKept(canvas: Canvas): Promise<void> {
  await expect(nameField(canvas)).toHaveValue('Rabbit')
  await expect(descriptionField(canvas)).toHaveValue('Soft ears')
}

/** Always, so that the story stays in its state whatever is pressed. */
const alwaysFails = (fault: Fault) => (service: PetstoreService) => service.failNext(fault, 1000)

const refused = (code: string, message: string): Fault => ({
  status: 400,
  body: JSON.stringify({ code, message, status: 400 }),
})

/** Talks to a live service, when one is chosen in the toolbar or by environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toBeRequired()
    await expect(createButton(canvas)).toBeEnabled()
  },
})

/** Its options are in the controls. `optimistic` shows in lists: the story "Optimistic" has one. */
export const Playground = meta.story({
  args: { optimistic: false, defaultValues: { name: 'Guinea pig' } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toHaveValue('Guinea pig')
  },
})

/** The fields are empty again, ready for the next. */
export const Created = meta.story({
  play: async ({ canvas, userEvent, args }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText('Created “Rabbit”.')).toBeVisible()
    await expect(nameField(canvas)).toHaveValue('')
    await expect(nameField(canvas)).toHaveFocus()
    await expect(args.onCreated).toHaveBeenCalledOnce()
  },
})

/** Checked on submit only. */
export const NameMissing = meta.story({
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(createButton(canvas))
    await expect(nameField(canvas)).toHaveFocus()
    await expect(nameField(canvas)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField(canvas)).toHaveAccessibleDescription('For example: Rabbit Enter a name.')
  },
})

export const Sending = meta.story({
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(canvas.getByRole('button', { name: 'Creating…' })).toHaveFocus()
    await textIsKept(canvas)
  },
})

interface PatientProps {
  readonly prepare: (service: PetstoreService) => void
  readonly children: ReactNode
}

/** A provider that waits as long as an app's would. */
function Patient({ prepare, children }: PatientProps): ReactElement {
  const [options] = useState(() => {
    const service = createPetstoreService()
    prepare(service)
    const { baseUrl, fetch } = service
    return { baseUrl, apiKey: 'demo', fetch, rateLimitStore: createMemoryStore() }
  })
  return <PetstoreProvider {...options}>{children}</PetstoreProvider>
}

const refuseForAWhile = (service: PetstoreService) =>
  service.failNext({ status: 429, headers: { 'Retry-After': '42' } }, 1000)

/** The rate limit holds the request back: it leaves by itself when the time is over, unless it is cancelled. */
export const Waiting = meta.story({
  render: (args) => (
    <Patient prepare={refuseForAWhile}>
      <CategoryForm {...args} />
    </Patient>
  ),
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByText(/Saving in \d+ seconds\./)).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Creating…' })).toHaveAccessibleDescription('Rate limit reached.')
    await expect(canvas.getByRole('button', { name: 'Cancel' })).toBeVisible()
  },
})

export const Cancelled = meta.story({
  render: Waiting.input.render,
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await userEvent.click(await canvas.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(createButton(canvas)).toHaveFocus())
    await textIsKept(canvas)
  },
})

/** The service's words name the field. */
export const RefusedName = meta.story({
  parameters: { petstore: { prepare: alwaysFails(refused('invalid_name', 'The name is taken already.')) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await waitFor(() => expect(nameField(canvas)).toHaveFocus())
    await expect(nameField(canvas)).toHaveAccessibleDescription(/The service says: The name is taken already\./)
    await textIsKept(canvas)
  },
})

/** The service's words name no field, or several. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: alwaysFails(refused('conflict', 'Il y a déjà une telle catégorie.')) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const summary = await canvas.findByRole('group', { name: 'There is a problem' })
    await expect(summary).toHaveFocus()
    await expect(within(summary).getByText('Il y a déjà une telle catégorie.')).toHaveAttribute('dir', 'auto')
    await textIsKept(canvas)
  },
})

function withRefusingClient(): PetstoreClient {
  const issues = ['name', 'description'].map((field) => ({ message: 'expected another', path: [field] }))
  const { baseUrl, fetch } = createPetstoreService()
  return {
    ...createPetstoreClient({ baseUrl, fetch }),
    createCategory: () =>
      Promise.reject(new InputValidationError({ operation: 'createCategory', attempts: 0 }, issues)),
  }
}

/** Each problem stands at its field, and in a summary whose links lead there. */
export const SeveralProblems = meta.story({
  render: function SeveralProblems(args) {
    const [client] = useState(withRefusingClient)
    return (
      <PetstoreProvider client={client}>
        <CategoryForm {...args} />
      </PetstoreProvider>
    )
  },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const summary = await canvas.findByRole('group', { name: 'There is a problem' })
    await expect(summary).toHaveFocus()
    await userEvent.click(within(summary).getByRole('link', { name: 'This description is not valid.' }))
    await expect(descriptionField(canvas)).toHaveFocus()
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'not-the-key' } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByRole('group', { name: 'Not signed in' })).toBeVisible()
    await textIsKept(canvas)
  },
})

/** A wait that is too long is not begun: the notice counts down, and sending is up to a person. */
export const RateLimited = meta.story({
  parameters: {
    petstore: { prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '60' } }) },
  },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await expect(await canvas.findByRole('group', { name: 'Too many requests' })).toBeVisible()
    await textIsKept(canvas)
  },
})

/** The response was lost: the category may be there, so only a person sends it again. */
export const LostResponse = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-after' }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const notice = await canvas.findByRole('group', { name: 'No connection' })
    await expect(notice).toHaveTextContent('The category may have been created all the same')
    await expect(within(notice).getByRole('button', { name: 'Create again anyway' })).toBeVisible()
    await textIsKept(canvas)
  },
})

/** The service fails once; the retry creates the category. */
export const FailedThenRetried = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ status: 503 }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    await userEvent.click(await canvas.findByRole('button', { name: 'Create again anyway' }))
    await expect(await canvas.findByText('Created “Rabbit”.')).toBeVisible()
    await expect(canvas.queryByRole('group')).not.toBeInTheDocument()
  },
})

/** It was created, but the response cannot be read: no retry. */
export const UnreadableResponse = meta.story({
  parameters: { petstore: { prepare: alwaysFails({ body: 'malformed-json' }) } },
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent })
    const notice = await canvas.findByRole('group', { name: 'Unreadable response' })
    await expect(within(notice).queryByRole('button')).not.toBeInTheDocument()
  },
})

export const DefaultValues = meta.story({
  args: { defaultValues: { name: 'Guinea pig', description: 'Small, round, loud' } },
  play: async ({ canvas }) => {
    await expect(nameField(canvas)).toHaveValue('Guinea pig')
    await expect(descriptionField(canvas)).toHaveValue('Small, round, loud')
  },
})

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

export const OwnWords = meta.story({
  args: { labels: { title: 'Add a pet group', nameHint: 'What do you call them?', submit: 'Add' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('form', { name: 'Add a pet group' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Add' })).toBeVisible()
    await expect(nameField(canvas)).toHaveAccessibleDescription('What do you call them?')
  },
})

/** Every inner part takes a class of the app's own. */
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

/** `optimistic`: what is being created can be shown at once, here in a line of its own. */
export const Optimistic = meta.story({
  args: { optimistic: true },
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
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

/** What is created joins the list, without another request. */
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

export const TwoForms = meta.story({
  render: (args) => (
    <div style={{ display: 'grid', gap: '2rem' }}>
      <CategoryForm {...args} aria-label="One" />
      <CategoryForm {...args} aria-label="Another" />
    </div>
  ),
  play: async ({ canvas, userEvent }) => {
    const other = within(canvas.getByRole('form', { name: 'Another' }))
    await userEvent.click(createButton(other))
    await expect(nameField(other)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField(within(canvas.getByRole('form', { name: 'One' })))).toHaveAttribute('aria-invalid', 'false')
  },
})

function FormInDialog(props: Parameters<typeof CategoryForm>[0]): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
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
            onClick={() => dialog.current?.close()}
          >
            Close
          </button>
        }
      />
    </dialog>
  )
}

/** What is announced is announced inside of the dialog: the page around it is out of reach. */
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
  tags: ['!autodocs'], // it would darken the whole page
  parameters: Refused.input.parameters,
  play: Refused.input.play,
})

/** Each text runs in its own direction, also while it is typed. */
export const RightToLeft = meta.story({
  parameters: { petstore: { prepare: alwaysFails(refused('invalid_name', 'האם יש כבר name כזה?')) } },
  decorators: [
    (Story) => (
      <div dir="rtl">
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent }, 'ארנבים', 'Soft ears, sharp teeth')
    await waitFor(() => expect(nameField(canvas)).toHaveAttribute('aria-invalid', 'true'))
  },
})

/** 240 px: the narrowest that is supported. */
export const Narrow = meta.story({
  decorators: [
    (Story) => (
      <div style={{ inlineSize: 240 }}>
        <Story />
      </div>
    ),
  ],
  args: Actions.input.args,
  render: Waiting.input.render,
  play: async ({ canvas, userEvent }) => {
    await submit({ canvas, userEvent }, 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz')
    await canvas.findByText(/Saving in/)
    const form = canvas.getByRole('form')
    await expect(form.scrollWidth).toBeLessThanOrEqual(form.clientWidth)
    await expect(form.getBoundingClientRect().width).toBeLessThanOrEqual(240)
  },
})
