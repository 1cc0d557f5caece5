import { type ReactElement, useEffect, useRef } from 'react'
import { expect, fn, waitFor, within } from 'storybook/test'
import { alwaysFail, neverRespond, refusal } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import {
  CategoryForm,
  type CategoryFormProps,
  CategoryList,
  usePendingCategories,
  type WaitReason,
} from '../src/index.ts'
import './recipes/Recipes.css'
import { createRefusingClient } from './support/clientWith.ts'
import { heldBack } from './support/heldBack.ts'
import { labelsOf, labelPattern, waitPattern } from './support/labelsOf.ts'
import { expectNarrowFit, narrow } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'
import { waitsFor } from './support/waitsFor.ts'

const meta = preview.meta({
  title: 'Components/CategoryForm',
  id: 'categoryform',
  component: CategoryForm,
})

type Context = Pick<PlayContext, 'canvas' | 'globals' | 'userEvent'>

/** The labels and the controls of the form. `canvas` may be a part of the story. */
function form(context: Context, canvas: ReturnType<typeof within> = context.canvas) {
  const { categoryForm: labels, errorNotice } = labelsOf(context)
  const description = `${labels.description} ${labels.optional}`
  return {
    labels,
    errors: errorNotice.errors,
    nameField: () => canvas.getByRole('textbox', { name: labels.name }),
    descriptionField: () => canvas.getByRole('textbox', { name: description }),
    createButton: () => canvas.getByRole('button', { name: labels.submit }),
  }
}

async function submit(context: Context, name = 'Rabbit', description = 'Soft ears') {
  const { userEvent } = context
  const parts = form(context)
  await userEvent.type(parts.nameField(), name)
  await userEvent.type(parts.descriptionField(), description)
  await userEvent.click(parts.createButton())
  return parts
}

async function expectTextKept({ nameField, descriptionField }: ReturnType<typeof form>): Promise<void> {
  await expect(nameField()).toHaveValue('Rabbit')
  await expect(descriptionField()).toHaveValue('Soft ears')
}

async function expectWait(context: Context, reason: WaitReason, isEarliest = false): Promise<void> {
  const { labels } = await submit(context)
  await expect(await context.canvas.findByText(waitPattern(labels.savingIn, reason, isEarliest))).toBeVisible()
  await expect(await context.canvas.findByRole('button', { name: labels.held })).toHaveAccessibleDescription(
    labels.waitReasons[reason],
  )
}

/** Uses the live service, if you choose one in the toolbar or in environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async (context) => {
    const { nameField, createButton } = form(context)
    await expect(nameField()).toBeRequired()
    await expect(createButton()).toBeEnabled()
  },
})

/** Try the props in the controls. The story “Optimistic” shows what `optimistic` does. */
export const Playground = meta.story({
  args: {
    optimistic: false,
    defaultValues: { name: 'Guinea pig', description: 'Small, round, loud' },
    onCreated: fn(),
  },
  play: async (context) => {
    const { nameField, descriptionField } = form(context)
    await expect(nameField()).toHaveValue('Guinea pig')
    await expect(descriptionField()).toHaveValue('Small, round, loud')
  },
})

/** The fields are empty and ready for the next category. */
export const Created = meta.story({
  args: { onCreated: fn() },
  play: async (context) => {
    const { labels, nameField } = await submit(context)
    await expect(await context.canvas.findByText(labels.created('Rabbit'))).toBeVisible()
    await expect(nameField()).toHaveValue('')
    await expect(nameField()).toHaveFocus()
    await expect(context.args.onCreated).toHaveBeenCalledOnce()
  },
})

/** The form checks the name on submit, not while someone types. */
export const NameMissing = meta.story({
  play: async (context) => {
    const { labels, nameField, createButton } = form(context)
    await context.userEvent.click(createButton())
    await expect(nameField()).toHaveFocus()
    await expect(nameField()).toHaveAttribute('aria-invalid', 'true')
    await expect(nameField()).toHaveAccessibleDescription(`${labels.nameHint} ${labels.nameMissing}`)
  },
})

/** The fields are read-only until the service has responded. */
export const Sending = meta.story({
  parameters: { petstore: neverRespond },
  play: async (context) => {
    const parts = await submit(context)
    await expect(await context.canvas.findByRole('button', { name: parts.labels.submitting })).toHaveFocus()
    await expectTextKept(parts)
  },
})

/** The request limit holds the request back. It is sent on its own when the wait is over, unless someone cancels it. */
export const Waiting = meta.story({
  tags: ['translated'],
  parameters: { petstore: heldBack(42) },
  play: async (context) => {
    await expectWait(context, 'rate-limit')
    await expect(context.canvas.getByRole('button', { name: form(context).labels.cancel })).toBeVisible()
  },
})

/** Other requests fail without a response. This one is sent when the service can be reached again. */
export const WaitingForConnection = meta.story({
  parameters: { petstore: waitsFor('connection', 48) },
  play: async (context) => expectWait(context, 'connection'),
})

/** The service has a problem: it responds with a 503, for example. */
export const WaitingForService = meta.story({
  parameters: { petstore: waitsFor('service', 48) },
  play: async (context) => expectWait(context, 'service'),
})

/** The wait may become longer: it is not known yet whether the request limit is enough for this request by then. */
export const WaitingAtTheEarliest = meta.story({
  parameters: { petstore: waitsFor('rate-limit', 48, true) },
  play: async (context) => expectWait(context, 'rate-limit', true),
})

/** The text stays in the fields. */
export const Canceled = meta.story({
  parameters: { petstore: heldBack(42) },
  play: async (context) => {
    const parts = await submit(context)
    await context.userEvent.click(await context.canvas.findByRole('button', { name: parts.labels.cancel }))
    await waitFor(() => expect(parts.createButton()).toHaveFocus())
    await expectTextKept(parts)
  },
})

/** The service’s error message names the field. */
export const RefusedName = meta.story({
  parameters: { petstore: { prepare: alwaysFail(refusal(400, 'invalid_name', 'The name is taken already.')) } },
  play: async (context) => {
    const parts = await submit(context)
    await waitFor(() => expect(parts.nameField()).toHaveFocus())
    await expect(parts.nameField()).toHaveAccessibleDescription(/The name is taken already\./)
    await expectTextKept(parts)
  },
})

/** The service’s error message names no field, or several. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: alwaysFail(refusal(400, 'conflict', 'Il y a déjà une telle catégorie.')) } },
  play: async (context) => {
    const parts = await submit(context)
    const notice = await context.canvas.findByRole('group', { name: parts.errors['bad-request'].title })
    const message = within(notice).getByText('Il y a déjà une telle catégorie.')
    await expect(message.closest('[dir]')).toHaveAttribute('dir', 'auto')
    await expect(parts.createButton()).toHaveFocus()
    await expectTextKept(parts)
  },
})

/** Each problem appears next to its field, and a notice says so. */
export const SeveralProblems = meta.story({
  parameters: { petstore: { createClient: createRefusingClient } },
  play: async (context) => {
    const { labels, errors, nameField, descriptionField } = await submit(context)
    await expect(await context.canvas.findByRole('group', { name: errors['input-validation'].title })).toBeVisible()
    await expect(nameField()).toHaveFocus()
    await expect(descriptionField()).toHaveAccessibleDescription(labels.descriptionInvalid)
  },
})

/** The key is wrong. What was typed stays. */
export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async (context) => {
    const parts = await submit(context)
    await expect(await context.canvas.findByRole('group', { name: parts.errors.authentication.title })).toBeVisible()
    await expectTextKept(parts)
  },
})

/** The wait is longer than the client waits. The notice counts down, and then a person can send the request again. */
export const RequestLimitReached = meta.story({
  parameters: {
    petstore: { prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '60' } }) },
  },
  play: async (context) => {
    const parts = await submit(context)
    await expect(await context.canvas.findByRole('group', { name: parts.errors['rate-limit'].title })).toBeVisible()
    await expectTextKept(parts)
  },
})

/** The response was lost, so the category may exist. The text is sent again only if a person presses “Create anyway”. */
export const LostResponse = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-after' }) } },
  play: async (context) => {
    const { canvas } = context
    const parts = await submit(context)
    const { title, advice } = labelsOf(context).errorNotice.situations.mayHaveHappened
    await expect(await canvas.findByRole('group', { name: title })).toHaveTextContent(advice)
    await expect(canvas.getByRole('button', { name: parts.labels.createAnyway })).toBeVisible()
    await expectTextKept(parts)
  },
})

/** The service fails once; the retry creates the category. */
export const FailedThenRetried = meta.story({
  tags: ['translated'],
  parameters: { petstore: { prepare: (service) => service.failNext({ status: 503 }) } },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { labels } = await submit(context)
    await userEvent.click(await canvas.findByRole('button', { name: labels.createAnyway }))
    await expect(await canvas.findByText(labels.created('Rabbit'))).toBeVisible()
    await expect(canvas.queryByRole('group')).not.toBeInTheDocument()
  },
})

/** The category was created, but the response cannot be read. The form is ready for the next one. */
export const UnreadableResponse = meta.story({
  parameters: { petstore: { prepare: alwaysFail({ body: 'malformed-json' }) } },
  play: async (context) => {
    const { labels, nameField } = await submit(context)
    await expect(await context.canvas.findByText(labels.createdUnread('Rabbit'))).toBeVisible()
    await expect(nameField()).toHaveValue('')
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
  play: async (context) => {
    const { nameField } = form(context)
    await context.userEvent.type(nameField(), 'Rabbit')
    await context.userEvent.click(context.canvas.getByRole('button', { name: 'Clear' }))
    await expect(nameField()).toHaveValue('')
  },
})

/** `labels` changes the texts of this form. */
export const CustomLabels = meta.story({
  args: { labels: { title: 'Add a pet group', nameHint: 'What do you call them?', submit: 'Add' } },
  play: async (context) => {
    const { canvas } = context
    await expect(canvas.getByRole('form', { name: 'Add a pet group' })).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Add' })).toBeVisible()
    await expect(form(context).nameField()).toHaveAccessibleDescription('What do you call them?')
  },
})

/** `classNames` adds your own classes to the component’s parts. */
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
  play: async (context) => {
    await expect(form(context).nameField()).toHaveStyle({ borderRadius: '24px' })
  },
})

function PendingNames(): ReactElement {
  const pending = usePendingCategories()
  return <p>{`Pending: ${pending.map(({ name }) => name).join(', ') || 'none'}`}</p>
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
  play: async (context) => {
    await submit(context)
    await expect(await context.canvas.findByText('Pending: Rabbit')).toBeVisible()
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
  play: async (context) => {
    await context.canvas.findByText('Rabbit')
    await submit(context, 'Gecko', 'Walks on walls')
    await expect(await context.canvas.findByText('Walks on walls')).toBeVisible()
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
  play: async (context) => {
    const formNamed = (name: string) => form(context, within(context.canvas.getByRole('form', { name })))
    const second = formNamed('Second')
    await context.userEvent.click(second.createButton())
    await expect(second.nameField()).toHaveAttribute('aria-invalid', 'true')
    await expect(formNamed('First').nameField()).toHaveAttribute('aria-invalid', 'false')
  },
})

function FormInDialog(props: CategoryFormProps): ReactElement {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialogRef.current?.showModal()
  }, [])
  return (
    <dialog ref={dialogRef} className="recipe-dialog" aria-labelledby="dialog-title">
      <div className="recipe-dialog-header">
        <h2 id="dialog-title">New category</h2>
      </div>
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
  tags: ['!autodocs'], // its dialog would take the focus from the stories beside it
  render: (args) => <FormInDialog {...args} />,
  play: async (context) => {
    const { canvas } = context
    const dialog = await canvas.findByRole('dialog', { name: 'New category' })
    const created = (await submit(context)).labels.created('Rabbit')
    await expect(await within(canvas.getByRole('form')).findByText(created)).toBeVisible()
    await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent(created))
  },
})

export const DarkForm = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // the theme would apply to the whole docs page
  parameters: Refused.input.parameters,
  play: Refused.input.play,
})

/** Each text keeps its own direction, even while someone types. */
export const RightToLeft = meta.story({
  parameters: { petstore: { prepare: alwaysFail(refusal(400, 'invalid_name', 'האם יש כבר name כזה?')) } },
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  play: async (context) => {
    const { nameField } = await submit(context, 'ארנבים', 'Soft ears, sharp teeth')
    await waitFor(() => expect(nameField()).toHaveAttribute('aria-invalid', 'true'))
  },
})

/** 240 px, the narrowest supported width. */
export const Narrow = meta.story({
  decorators: [narrow],
  args: Actions.input.args,
  parameters: { petstore: heldBack(42) },
  play: async (context) => {
    const { labels } = await submit(context, 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz')
    await context.canvas.findByText(labelPattern(labels.savingIn))
    await expectNarrowFit(context.canvas.getByRole('form'))
  },
})
