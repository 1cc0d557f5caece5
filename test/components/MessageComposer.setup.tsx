import { render, screen, waitFor, within } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { MessageComposer, type PetstoreClientOptions, PetstoreProvider } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { user } from './page.setup.ts'

let keys = 0
/** A draft key that no other test uses. */
export const newKey = () => `draft-${(keys += 1)}`

type Service = Pick<PetstoreService, 'fetch' | 'quickstartBaseUrl'>

export const providerOptions = (service: Service): PetstoreClientOptions => ({
  ...optionsFor(service),
  retry: { attempts: 1, maxWait: 60_000 },
  rateLimitStore: createMemoryStore(), // in a browser the default store would outlive the test
  quickstartBaseUrl: service.quickstartBaseUrl,
})

/** Renders in StrictMode on its own service; `options` go to the provider. */
export function renderComposer(
  props: ComponentProps<typeof MessageComposer> = {},
  {
    service = createPetstoreService(),
    ...options
  }: { service?: PetstoreService } & Partial<PetstoreClientOptions> = {},
) {
  const provided = { ...providerOptions(service), ...options }
  const page = (shown: ComponentProps<typeof MessageComposer> | null, changed: Partial<PetstoreClientOptions> = {}) => (
    <OwnCache>
      <PetstoreProvider {...provided} {...changed}>
        {shown && <MessageComposer {...shown} />}
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender, ...view } = render(page(props))
  return {
    ...view,
    service,
    /** With `null` the composer unmounts, and the provider stays. */
    update: (shown: ComponentProps<typeof MessageComposer> | null, changed?: Partial<PetstoreClientOptions>) =>
      rerender(page(shown, changed)),
  }
}

// Not by role, which is slow in jsdom. The tests of the markup check the roles.
export const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message')
export const button = (name: string) => screen.getByText(name, { selector: 'button' })
/** Finds the button also while its visible text counts down: its name stays. */
export const sendButton = (): HTMLElement => {
  const name = screen.getByText('Send', { selector: 'button, button > span' })
  return name.closest('button') ?? name
}
export const messages = () => [...document.querySelectorAll('li')]

export async function write(text: string): Promise<void> {
  await user.click(field())
  await user.paste(text)
}

export async function send(text: string): Promise<void> {
  await write(text)
  await user.click(sendButton())
}

/** Waits until the message with this text has this status. */
export async function messageThatSays(text: string, status: string | RegExp): Promise<HTMLElement> {
  const find = () => {
    const found = messages().find((message) => message.textContent?.includes(text))
    if (!found) throw new Error(`There is no message "${text}".`)
    within(found).getByText(status)
    return found
  }
  return waitFor(find, { interval: 10 })
}

export const buttonsIn = (element: HTMLElement) =>
  [...element.querySelectorAll('button')].map(({ textContent }) => textContent)

/** How many requests to send a message the service has received. */
export const posts = ({ requests }: PetstoreService) =>
  requests.filter(({ operation }) => operation === 'sendMessage').length
