import { expect, fn, spyOn, waitFor } from 'storybook/test'
import { alwaysFail, neverRespond, refusal } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import { MessageComposer } from '../src/components/MessageComposer/MessageComposer.tsx'
import type { WaitReason } from '../src/index.ts'
import type { Fault } from '../src/testing.ts'
import { heldBack } from './support/heldBack.ts'
import { clientWith } from './support/clientWith.ts'
import { formatOf, labelPattern, labelsOf, waitPattern } from './support/labelsOf.ts'
import { expectNarrowFit, narrow } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'
import { waitsFor } from './support/waitsFor.ts'

const meta = preview.meta({ title: 'Components/MessageComposer', id: 'messagecomposer', component: MessageComposer })

type Context = Pick<PlayContext, 'canvas' | 'globals' | 'userEvent'>

const labels = (context: Context) => labelsOf(context).messageComposer
/** The titles of the errors, which say why a message was not sent. */
const errors = (context: Context) => labelsOf(context).errorNotice.errors
const field = ({ canvas }: Pick<Context, 'canvas'>) => canvas.getByRole('textbox')

async function write(context: Context, text: string): Promise<void> {
  await context.userEvent.click(field(context))
  await context.userEvent.paste(text)
}

async function send(context: Context, text: string, button = labels(context).send): Promise<void> {
  await write(context, text)
  await context.userEvent.click(context.canvas.getByRole('button', { name: button }))
}

/** Expects that the message shows why it was not sent. */
async function expectFailure(context: Context, reason: string): Promise<void> {
  await expect(await context.canvas.findByText(labels(context).failedBecause(reason))).toBeVisible()
}

async function expectWait(context: Context, reason: WaitReason, isEarliest = false): Promise<void> {
  await send(context, 'Do you have rabbits?')
  const pattern = waitPattern(labels(context).waiting, reason, isEarliest)
  await expect(await context.canvas.findByText(pattern)).toBeVisible()
}

const rateLimited = { status: 429, headers: { 'Retry-After': '60' } } satisfies Fault
const unauthorized = refusal(401, 'unauthorized', 'This API key has expired.')
const badRequest = refusal(400, 'invalid_message', 'A message may not name competitors.')

/** Write a message and send it to the mock service. */
export const Default = meta.story({
  play: async (context) => {
    const { hint, message } = labels(context)
    const description = context.canvas.getByText((text) => text === hint('apple') || text === hint('other'))
    await expect(context.canvas.getByRole('textbox', { name: message })).toHaveAccessibleDescription(
      description.textContent,
    )
    await expect(context.canvas.queryByRole('list')).not.toBeInTheDocument()
  },
})

/** Try the props in the controls. */
export const Playground = meta.story({
  args: { maxLength: 500, onSent: fn() },
  play: async (context) => {
    const limit = labels(context).limit(500, formatOf(context))
    await expect(field(context)).toHaveAccessibleDescription(expect.stringContaining(limit))
  },
})

/** The service accepted the message. It has not confirmed the delivery. */
export const Queued = meta.story({
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expect(await context.canvas.findByText(labels(context).queued)).toBeVisible()
    await expect(field(context)).toHaveValue('')
    await expect(field(context)).toHaveFocus()
  },
})

/** The field is ready for the next message at once. */
export const Sending = meta.story({
  parameters: { petstore: neverRespond },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expect(await context.canvas.findByText(labels(context).sending)).toBeVisible()
    await expect(field(context)).toHaveValue('')
  },
})

/** The request limit holds the message back. It is sent on its own when the wait is over, unless someone cancels it. */
export const Waiting = meta.story({
  tags: ['translated'],
  parameters: { petstore: heldBack(60) },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expect(await context.canvas.findByText(labelPattern(labels(context).waiting))).toBeVisible()
    await expect(context.canvas.getByRole('button', { name: labels(context).cancel })).toBeVisible()
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

/** The wait may become longer: it is not known yet whether the request limit is enough for this message by then. */
export const WaitingAtTheEarliest = meta.story({
  parameters: { petstore: waitsFor('rate-limit', 48, true) },
  play: async (context) => expectWait(context, 'rate-limit', true),
})

/** Canceled before it was sent. */
export const Canceled = meta.story({
  parameters: { petstore: heldBack(60) },
  play: async (context) => {
    const { cancel, cancelled } = labels(context)
    await send(context, 'Do you have rabbits?')
    await context.userEvent.click(await context.canvas.findByRole('button', { name: cancel }))
    await expect(await context.canvas.findByText(cancelled)).toBeVisible()
    await expect(context.canvas.getByRole('listitem')).toHaveFocus()
  },
})

/** The wait is longer than the client waits. “Try again” does nothing until it is over. */
export const RequestLimitReached = meta.story({
  parameters: { petstore: { prepare: alwaysFail(rateLimited) } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    const { title } = errors(context)['rate-limit']
    await expectFailure(context, title)
    const retry = context.canvas.getByRole('button', { name: labelsOf(context).errorNotice.retry })
    await expect(retry).toHaveAttribute('aria-disabled', 'true')
    await expect(retry).toHaveAccessibleDescription(labels(context).failedBecause(title))
  },
})

/** It is known before sending that the wait is longer than the client waits. The text stays in the field. */
export const KeptInField = meta.story({
  parameters: { petstore: waitsFor('rate-limit', 600) },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    const { send: name, failedBecause } = labels(context)
    await expect(field(context)).toHaveValue('Do you have rabbits?')
    const { retryIn } = labelsOf(context).errorNotice
    await expect(await context.canvas.findByText(labelPattern(retryIn))).toBeVisible()
    await expect(context.canvas.getByRole('button', { name })).toHaveAccessibleDescription(
      failedBecause(errors(context)['rate-limit'].title),
    )
    await expect(context.canvas.queryByRole('list')).not.toBeInTheDocument()
  },
})

/** Shows the service’s error message. Nobody loses the text: try again, edit it or discard it. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest) } },
  play: async (context) => {
    await send(context, 'Your rabbits are nicer than those of Pets & Co.')
    await expectFailure(context, errors(context)['bad-request'].title)
    await expect(context.canvas.getByText(/may not name competitors/)).toBeVisible()
  },
})

/** A long message shows its first six lines, and a button shows the rest. */
export const LongMessage = meta.story({
  play: async (context) => {
    const { canvas } = context
    await send(context, Array.from({ length: 30 }, (_, line) => `${line + 1}.`).join('\n'))
    await expect(await canvas.findByRole('button', { name: labels(context).showAll })).toHaveAttribute(
      'aria-expanded',
      'false',
    )
  },
})

/** “Edit” moves the text back into the field. */
export const Edited = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext(badRequest) } },
  play: async (context) => {
    await send(context, 'Your rabbits are nicer than those of Pets & Co.')
    await context.userEvent.click(await context.canvas.findByRole('button', { name: labels(context).edit }))
    await expect(field(context)).toHaveValue('Your rabbits are nicer than those of Pets & Co.')
    await expect(context.canvas.queryByRole('listitem')).not.toBeInTheDocument()
  },
})

/** “Edit” does not replace text in the field. The button explains why. */
export const EditBlocked = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest) } },
  play: async (context) => {
    await send(context, 'Your rabbits are nicer than those of Pets & Co.')
    await write(context, 'Something else')
    await context.userEvent.click(await context.canvas.findByRole('button', { name: labels(context).edit }))
    await expect(context.canvas.getByText(labels(context).editBlocked)).toBeVisible()
    await expect(field(context)).toHaveValue('Something else')
  },
})

/** The key is wrong. The message can be sent again or discarded. */
export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expectFailure(context, errors(context).authentication.title)
  },
})

/** The response was lost, so the message may have been sent. Only a person can decide to send it again. */
export const MayHaveBeenSent = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-after' }) } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expect(
      await context.canvas.findByText(labelsOf(context).errorNotice.situations.mayHaveHappened.title),
    ).toBeVisible()
    await expect(context.canvas.getByRole('button', { name: labels(context).retryAnyway })).toBeVisible()
  },
})

/** The service accepted the message, but its response cannot be read. */
export const UnreadableResponse = meta.story({
  parameters: { petstore: { prepare: alwaysFail({ body: 'wrong-shape' }) } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    const { acceptedUnread, retryAnyway } = labels(context)
    await expect(await context.canvas.findByText(acceptedUnread)).toBeVisible()
    for (const name of [labelsOf(context).errorNotice.retry, retryAnyway]) {
      await expect(context.canvas.queryByRole('button', { name })).not.toBeInTheDocument()
    }
  },
})

const fail = () => Promise.reject(new Error('The app has a problem.'))

/** Any other error: here the client of the app throws it. */
export const OtherFailure = meta.story({
  parameters: { petstore: { createClient: () => clientWith({ sendMessage: fail }) } },
  beforeEach: () => {
    // `reportError` would write to the console and fire an `error` event.
    const report = spyOn(globalThis, 'reportError').mockReturnValue()
    return () => report.mockRestore()
  },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expectFailure(context, labelsOf(context).errorNotice.otherError.title)
    await expect(context.canvas.getByText('Do you have rabbits?')).toBeVisible()
  },
})

const processing: Fault = {
  status: 200,
  body: JSON.stringify({ id: 'msg_1', message: '', status: 'processing', createdAt: new Date().toISOString() }),
}

/** Only the status “queued” is documented. The composer shows any other status as it is. */
export const OtherStatus = meta.story({
  parameters: { petstore: { prepare: alwaysFail(processing) } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?')
    await expect(await context.canvas.findByText('processing')).toBeVisible()
  },
})

/** Each message has its own status and keeps its place. */
export const SeveralMessages = meta.story({
  tags: ['translated'],
  parameters: {
    petstore: {
      plan: 'business',
      prepare: (service) => {
        for (const fault of [unauthorized, { connection: 'lost-after' }, badRequest] as const) service.failNext(fault)
      },
    },
  },
  play: async (context) => {
    for (const text of ['Do you have rabbits?', 'Black ones?', 'With long ears?\nAnd soft ones?', 'Hello?']) {
      await send(context, text)
    }
    await expect(await context.canvas.findByText(labels(context).queued)).toBeVisible()
    const order = context.canvas.getAllByRole('listitem').map(({ textContent }) => textContent)
    await expect(order.map((text) => text?.slice(0, 5))).toEqual(['Hello', 'With ', 'Black', 'Do yo'])
  },
})

/** The field explains that there is nothing to send. */
export const EmptyMessage = meta.story({
  play: async (context) => {
    await context.userEvent.click(context.canvas.getByRole('button', { name: labels(context).send }))
    await expect(field(context)).toHaveFocus()
    await expect(field(context)).toBeInvalid()
    await expect(field(context)).toHaveAccessibleDescription(expect.stringContaining(labels(context).empty))
  },
})

/** `maxLength` is your app’s own limit: the service documents none. */
export const CharacterLimit = meta.story({
  args: { maxLength: 140 },
  play: async (context) => {
    await write(context, 'Do you have rabbits?')
    const left = labels(context).charactersLeft(120, formatOf(context))
    await expect(context.canvas.getByText(left)).toBeVisible()
  },
})

/** The composer keeps the whole text, so that people can shorten it. */
export const TooLong = meta.story({
  args: { maxLength: 40 },
  play: async (context) => {
    await send(context, 'Do you have rabbits? Black ones, with long ears?')
    const { charactersOver, tooLong } = labels(context)
    await expect(context.canvas.getByText(charactersOver(8, formatOf(context)))).toBeVisible()
    const problem = tooLong(40, formatOf(context))
    await expect(field(context)).toHaveAccessibleDescription(expect.stringContaining(problem))
  },
})

/** Stores a draft as a composer with this `draftKey` does. One key per story: a page may show several stories. */
function storeDraft(draftKey: string, text: string, mayBeSent: boolean): () => void {
  const name = `petstore::${draftKey}`
  sessionStorage.setItem(name, JSON.stringify({ text, mayBeSent }))
  return () => sessionStorage.removeItem(name)
}

/** With a `draftKey`, the text survives a reload. Write something and reload the page. */
export const Draft = meta.story({
  args: { draftKey: 'unfinished' },
  beforeEach: () => storeDraft('unfinished', 'Not finished yet, but', false),
  play: async (context) => {
    await waitFor(() => expect(field(context)).toHaveValue('Not finished yet, but'))
  },
})

/** A text that was under way when the page was reloaded, or the tab copied: only a person may send it again. */
export const DraftMayBeSent = meta.story({
  args: { draftKey: 'under-way' },
  beforeEach: () => storeDraft('under-way', 'Sent just before the reload', true),
  play: async (context) => {
    await waitFor(() => expect(field(context)).toHaveValue('Sent just before the reload'))
    await expect(context.canvas.getByText(labelsOf(context).errorNotice.situations.mayHaveHappened.title)).toBeVisible()
  },
})

/** `actions` adds controls next to the button. `renderText` changes how messages look. */
export const Slots = meta.story({
  args: {
    actions: (
      <button type="button" className="petstore-button">
        Attach
      </button>
    ),
    renderText: (text) =>
      text.split(/(@\w+)/).map((part) => (part.startsWith('@') ? <strong key={part}>{part}</strong> : part)),
  },
  play: async (context) => {
    await send(context, 'Thank you @shop!')
    await expect((await context.canvas.findByText('@shop')).closest('strong')).toBeVisible()
    await expect(context.canvas.getByRole('button', { name: 'Attach' })).toBeVisible()
  },
})

/** `labels` changes the texts of this composer. */
export const CustomLabels = meta.story({
  args: { labels: { title: 'Ask us', message: 'Your question', send: 'Ask', hint: () => 'We reply within a day.' } },
  play: async (context) => {
    await send(context, 'Do you have rabbits?', 'Ask')
    await expect(context.canvas.getByRole('region', { name: 'Ask us' })).toBeVisible()
    await expect(await context.canvas.findByText(labels(context).queued)).toBeVisible()
  },
})

/** The field grows with its text up to a maximum height. Long words wrap instead of overflowing. */
export const LongTexts = meta.story({
  parameters: { petstore: { prepare: alwaysFail(badRequest) } },
  play: async (context) => {
    await send(context, `${'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2)}\n\n🐇 うさぎ`)
    await expectFailure(context, errors(context)['bad-request'].title)
    await write(context, 'A message that goes on and on, as such texts do when nobody reads them twice. '.repeat(40))
    await expect(context.canvasElement.scrollWidth).toBeLessThanOrEqual(context.canvasElement.clientWidth)
    await expect(field(context).scrollHeight).toBeGreaterThan(field(context).clientHeight)
  },
})

/** In Arabic, mirrored. */
export const RightToLeft = meta.story({
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  args: { maxLength: 140 },
  parameters: { petstore: { plan: 'business', prepare: (service) => service.failNext(badRequest) } },
  play: async (context) => {
    await send(context, 'هل لديكم أرانب سوداء؟\nبآذان طويلة؟')
    await expectFailure(context, errors(context)['bad-request'].title)
    await send(context, 'Or white ones?')
    await expect(await context.canvas.findByText(labels(context).queued)).toBeVisible()
  },
})

/** 240 px, the narrowest supported width. */
export const Narrow = meta.story({
  args: { maxLength: 140 },
  parameters: { petstore: { prepare: alwaysFail(badRequest) } },
  decorators: [narrow],
  play: async (context) => {
    await send(context, 'Your rabbits are nicer than those of Pets & Co.')
    await expectFailure(context, errors(context)['bad-request'].title)
    const section = context.canvas.getByRole('region')
    await expectNarrowFit(section)
  },
})
