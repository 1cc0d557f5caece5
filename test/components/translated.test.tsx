import { act, render, waitFor } from '@testing-library/react'
import { type ReactElement, useState } from 'react'
import { expect, test } from 'vitest'
import { Countdown, createPetstoreClient, PetstoreProvider, RateLimitBadge } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { translatePage } from '../../.storybook/translatePage.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { OwnCache } from '../renderOnService.tsx'
import { providerOptions } from './MessageComposer.setup.tsx'
import { advanceTime, cleanPage, fakeTime, refusedFor, user } from './page.setup.ts'

cleanPage()

/** Renders on a service whose responses can be held, in a page that is translated whenever it changes. */
function renderTranslated(ui: ReactElement) {
  fakeTime()
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const { fetch, hold } = holdResponses(service)
  const client = createPetstoreClient({ ...providerOptions(service), fetch })
  const { container } = render(
    <OwnCache>
      <PetstoreProvider client={client}>{ui}</PetstoreProvider>
    </OwnCache>,
  )
  translatePage(container, (text) => text.toUpperCase())
  const press = (name: string) => {
    const found = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
    if (!found) throw new Error(`There is no button ${name}.`)
    return user.click(found)
  }
  return { service, client, container, hold, press, text: async (part: string) => waitForText(container, part) }
}

/** The text of the page once it contains a part. */
async function waitForText(container: Element, part: string): Promise<string> {
  const read = () => container.textContent ?? ''
  await waitFor(() => expect(read()).toContain(part), { timeout: 5_000 })
  return read()
}

test.each([[false], [true]])(
  'a badge that meets a 429 and counts down, in a translated page, compact: %s',
  async (compact) => {
    const { service, client, container, text } = renderTranslated(<RateLimitBadge compact={compact} />)
    await act(async () => void (await client.listCategories()))
    expect(await text('AVAILABLE')).toContain('AVAILABLE')
    service.failNext(refusedFor(5))
    void client.createCategory({ name: 'Cat' }).catch(() => {})
    await advanceTime(200)
    expect(await text('PAUSED')).toContain('PAUSED')
    const read = () => Number(/(\d+) SEC/.exec(container.textContent ?? '')?.[1])
    const before = read()
    expect(before).toBeGreaterThan(2)
    await advanceTime(2_000)
    expect(read()).toBe(before - 2)
    await advanceTime(10_000)
    expect(await text('AVAILABLE')).toContain('AVAILABLE')
  },
)

test('a Countdown of the app that ends in another text, in a translated page', async () => {
  const until = Date.now() + 3_000
  function Wait() {
    const [isOver, setOver] = useState(false)
    return (
      <button type="button" onClick={() => setOver(true)}>
        {isOver ? 'now' : <Countdown until={until} label={(wait) => `in ${wait}`} />}
      </button>
    )
  }
  const { container, text } = renderTranslated(<Wait />)
  expect(await text('IN 3 SECONDS')).toContain('IN 3 SECONDS')
  await advanceTime(1_000)
  expect(await text('IN 2 SECONDS')).toContain('IN 2 SECONDS')
  await user.click(container.querySelector('button') ?? container)
  expect(await text('NOW')).toContain('NOW')
})
