import { type ReactElement, type ReactNode, useState } from 'react'
import { expect, fn, waitFor, type within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { MessageComposer } from '../src/components/MessageComposer/MessageComposer.tsx'
import { createMemoryStore, PetstoreProvider } from '../src/index.ts'
import { createPetstoreService, type Fault, type PetstoreService } from '../src/testing.ts'

const meta = preview.meta({ title: 'Components/MessageComposer', id: 'messagecomposer', component: MessageComposer })

interface Stage {
  readonly canvas: ReturnType<typeof within>
  readonly userEvent: {
    readonly click: (element: Element) => Promise<void>
    readonly keyboard: (keys: string) => Promise<void>
    readonly paste: (text: string) => Promise<void>
  }
}

const field = ({ canvas }: Stage) => canvas.getByRole('textbox')

async function write(stage: Stage, text: string): Promise<void> {
  await stage.userEvent.click(field(stage))
  await stage.userEvent.paste(text)
}

async function send(stage: Stage, text: string, button = 'Send'): Promise<void> {
  await write(stage, text)
  await stage.userEvent.click(stage.canvas.getByRole('button', { name: button }))
}

const fails = (fault: Fault) => (service: PetstoreService) => service.failNext(fault, 1_000)
const waits = { status: 429, headers: { 'Retry-After': '60' } } satisfies Fault
const refused = {
  status: 400,
  body: JSON.stringify({ code: 'invalid_message', message: 'A message may not name competitors.', status: 400 }),
} satisfies Fault

/** A provider that waits as long as it takes, other than that of the stories. */
function Patient({ children, fetch }: { children: ReactNode; fetch?: PetstoreService['fetch'] }): ReactElement {
  const [options] = useState(() => {
    const service = createPetstoreService()
    service.failNext(waits)
    const { baseUrl, quickstartBaseUrl } = service
    return { baseUrl, quickstartBaseUrl, fetch: fetch ?? service.fetch, rateLimitStore: createMemoryStore() }
  })
  return (
    <PetstoreProvider {...options} apiKey="demo" retry={{ maxWait: Infinity }}>
      {children}
    </PetstoreProvider>
  )
}

/** Talks to the in-memory service: write something, and send it. */
export const Default = meta.story({
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(/Ctrl\+Enter/)
    await expect(canvas.queryByRole('list')).not.toBeInTheDocument()
  },
})

/** Its options are in the controls. */
export const Playground = meta.story({
  args: { maxLength: 500, onSent: fn() },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(/500/)
  },
})

/** The service has taken it. That it was delivered, nobody has said. */
export const Queued = meta.story({
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('Queued by the service')).toBeVisible()
    await expect(field(stage)).toHaveValue('')
    await expect(field(stage)).toHaveFocus()
  },
})

/** The field is free for the next message at once. */
export const Sending = meta.story({
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('Sending…')).toBeVisible()
    await expect(field(stage)).toHaveValue('')
  },
})

/** Sent by itself when the limit allows; until then it can be called off. */
export const Waiting = meta.story({
  render: (args) => (
    <Patient>
      <MessageComposer {...args} />
    </Patient>
  ),
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText(/Sending in \d+ seconds/)).toBeVisible()
    await expect(stage.canvas.getByRole('button', { name: 'Cancel' })).toBeVisible()
  },
})

/** Called off before it left. */
export const Cancelled = meta.story({
  render: Waiting.input.render,
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await stage.userEvent.click(await stage.canvas.findByRole('button', { name: 'Cancel' }))
    await expect(await stage.canvas.findByText('Cancelled, not sent')).toBeVisible()
    await expect(stage.canvas.getByRole('listitem')).toHaveFocus()
  },
})

/** Waiting would take too long here. "Try again" does nothing before the time that the service has named. */
export const RateLimited = meta.story({
  parameters: { petstore: { prepare: fails(waits) } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('Not sent: Too many requests')).toBeVisible()
    const retry = stage.canvas.getByRole('button', { name: 'Try again' })
    await expect(retry).toHaveAttribute('aria-disabled', 'true')
    await expect(retry).toHaveAccessibleDescription(/rate limit/)
  },
})

/** Refused, with the service's own words. The text stays: try again, edit or discard it. */
export const Refused = meta.story({
  parameters: { petstore: { prepare: fails(refused) } },
  play: async (stage) => {
    await send(stage, 'Your rabbits are nicer than those of Pets & Co.')
    await expect(await stage.canvas.findByText('Not sent: That did not work')).toBeVisible()
    await expect(stage.canvas.getByText(/may not name competitors/)).toBeVisible()
  },
})

/** "Edit" takes the text back into the field. */
export const Edited = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext(refused) } },
  play: async (stage) => {
    await send(stage, 'Your rabbits are nicer than those of Pets & Co.')
    await stage.userEvent.click(await stage.canvas.findByRole('button', { name: 'Edit' }))
    await expect(field(stage)).toHaveValue('Your rabbits are nicer than those of Pets & Co.')
    await expect(stage.canvas.queryByRole('listitem')).not.toBeInTheDocument()
  },
})

/** While there is a text in the field, a message cannot be edited; the button says why. */
export const EditBlocked = meta.story({
  parameters: { petstore: { prepare: fails(refused) } },
  play: async (stage) => {
    await send(stage, 'Your rabbits are nicer than those of Pets & Co.')
    await write(stage, 'Something else')
    await stage.userEvent.click(await stage.canvas.findByRole('button', { name: 'Edit' }))
    await expect(stage.canvas.getByText('Send or clear the text in the field first.')).toBeVisible()
    await expect(field(stage)).toHaveValue('Something else')
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'not-the-key' } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('Not sent: Not signed in')).toBeVisible()
  },
})

/** The response was lost on its way: it is sent again only when asked to. */
export const MayHaveBeenSent = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-after' }) } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('May have been sent')).toBeVisible()
    await expect(stage.canvas.getByRole('button', { name: 'Send again anyway' })).toBeVisible()
  },
})

/** The service has taken it, but what it says about it cannot be read. */
export const UnreadableResponse = meta.story({
  parameters: { petstore: { prepare: fails({ body: 'wrong-shape' }) } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText("Sent, but the response couldn't be read")).toBeVisible()
    await expect(stage.canvas.queryByRole('button', { name: /again/ })).not.toBeInTheDocument()
  },
})

/** Anything else that fails, here a provider without a quickstart address. */
export const OtherFailure = meta.story({
  render: (args) => (
    <PetstoreProvider baseUrl="https://petstore.test/v1" apiKey="demo">
      <MessageComposer {...args} />
    </PetstoreProvider>
  ),
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('Not sent: Something went wrong')).toBeVisible()
    await expect(stage.canvas.getByText('Do you have rabbits?')).toBeVisible()
  },
})

const otherStatus: PetstoreService['fetch'] = async () =>
  Response.json({ id: 'msg_1', message: '', status: 'processing', createdAt: new Date().toISOString() })

/** Only "queued" is documented. Any other status is shown as the service's own word. */
export const OtherStatus = meta.story({
  render: (args) => (
    <Patient fetch={otherStatus}>
      <MessageComposer {...args} />
    </Patient>
  ),
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?')
    await expect(await stage.canvas.findByText('processing')).toBeVisible()
  },
})

/** Each message has its own outcome, and keeps its place. */
export const Several = meta.story({
  parameters: {
    petstore: {
      plan: 'business',
      prepare: (service) => {
        for (const fault of [{ status: 401 }, { connection: 'lost-after' }, refused] as const) service.failNext(fault)
      },
    },
  },
  play: async (stage) => {
    for (const text of ['Do you have rabbits?', 'Black ones?', 'With long ears?\nAnd soft ones?', 'Hello?']) {
      await send(stage, text)
    }
    await expect(await stage.canvas.findByText('Queued by the service')).toBeVisible()
    const order = stage.canvas.getAllByRole('listitem').map(({ textContent }) => textContent)
    await expect(order.map((text) => text?.slice(0, 5))).toEqual(['Hello', 'With ', 'Black', 'Do yo'])
  },
})

/** Nothing to send: the field says so. */
export const WithoutText = meta.story({
  play: async (stage) => {
    await stage.userEvent.click(stage.canvas.getByRole('button', { name: 'Send' }))
    await expect(field(stage)).toHaveFocus()
    await expect(field(stage)).toBeInvalid()
    await expect(field(stage)).toHaveAccessibleDescription(/Write a message first/)
  },
})

/** A limit of the product's own; the service's interface document names none. */
export const Limited = meta.story({
  args: { maxLength: 140 },
  play: async (stage) => {
    await write(stage, 'Do you have rabbits?')
    await expect(stage.canvas.getByText('120 characters left')).toBeVisible()
  },
})

/** Nothing is cut off: the text can be shortened. */
export const TooLong = meta.story({
  args: { maxLength: 40 },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits? Black ones, with long ears?')
    await expect(stage.canvas.getByText('8 characters too many')).toBeVisible()
    await expect(field(stage)).toHaveAccessibleDescription(/Shorten it to 40 characters/)
  },
})

/** With a `draftKey` the texts survive a reload: write something, and load the page again. */
export const Draft = meta.story({
  args: { draftKey: 'petstore-story' },
  beforeEach: () => {
    sessionStorage.setItem(
      'petstore-story',
      JSON.stringify({
        draft: 'Not finished yet, but',
        messages: [
          { id: 'b', text: 'Left just before the reload', at: Date.now() - 60_000, mayBeSent: true },
          { id: 'a', text: 'Failed before the reload', at: Date.now() - 120_000, mayBeSent: false },
        ],
      }),
    )
    return () => sessionStorage.removeItem('petstore-story')
  },
  play: async (stage) => {
    await waitFor(() => expect(field(stage)).toHaveValue('Not finished yet, but'))
    await expect(stage.canvas.getByText('May have been sent')).toBeVisible()
    await expect(stage.canvas.getByText('Not sent')).toBeVisible()
  },
})

/** Further controls beside the button, and texts shown in another way. */
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
  play: async (stage) => {
    await send(stage, 'Thank you @shop!')
    await expect((await stage.canvas.findByText('@shop')).tagName).toBe('STRONG')
    await expect(stage.canvas.getByRole('button', { name: 'Attach' })).toBeVisible()
  },
})

/** Other words, for this composer alone. */
export const OtherWords = meta.story({
  args: { labels: { title: 'Ask us', message: 'Your question', send: 'Ask', hint: 'We response within a day.' } },
  play: async (stage) => {
    await send(stage, 'Do you have rabbits?', 'Ask')
    await expect(stage.canvas.getByRole('region', { name: 'Ask us' })).toBeVisible()
    await expect(await stage.canvas.findByText('Queued by the service')).toBeVisible()
  },
})

/** The field grows with its text, up to a height. Nothing runs out of the frame. */
export const ManyWords = meta.story({
  parameters: { petstore: { prepare: fails(refused) } },
  play: async (stage) => {
    await send(stage, `${'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2)}\n\n🐇 うさぎ`)
    await expect(await stage.canvas.findByText(/Not sent/)).toBeVisible()
    await write(stage, 'A message that goes on and on, as such texts do when nobody reads them twice. '.repeat(40))
    await expect(stage.canvasElement.scrollWidth).toBeLessThanOrEqual(stage.canvasElement.clientWidth)
    await expect(field(stage).scrollHeight).toBeGreaterThan(field(stage).clientHeight)
  },
})

export const RightToLeft = meta.story({
  args: { dir: 'rtl', maxLength: 140 },
  parameters: { petstore: { plan: 'business', prepare: (service) => service.failNext(refused) } },
  play: async (stage) => {
    await send(stage, 'هل لديكم أرانب سوداء؟\nبآذان طويلة؟')
    await expect(await stage.canvas.findByText(/Not sent/)).toBeVisible()
    await send(stage, 'Or white ones?')
    await expect(await stage.canvas.findByText('Queued by the service')).toBeVisible()
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // it would darken the whole page
  parameters: Several.input.parameters ?? {},
  play: Several.input.play ?? (() => {}),
})

/** 240 px: the narrowest that is supported. */
export const Narrow = meta.story({
  args: { maxLength: 140 },
  parameters: { petstore: { prepare: fails(refused) } },
  decorators: [
    (Story) => (
      <div style={{ inlineSize: 240 }}>
        <Story />
      </div>
    ),
  ],
  play: async (stage) => {
    await send(stage, 'Your rabbits are nicer than those of Pets & Co.')
    await expect(await stage.canvas.findByText(/Not sent/)).toBeVisible()
    const section = stage.canvas.getByRole('region')
    await expect(section.scrollWidth).toBeLessThanOrEqual(section.clientWidth)
    await expect(section.getBoundingClientRect().width).toBeLessThanOrEqual(240)
  },
})
