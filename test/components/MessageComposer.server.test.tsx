// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { MessageComposer } from '../../src/index.ts'
import { outboxStoreFor } from '../../src/components/MessageComposer/outboxStore.ts'
import { PetstoreProvider } from '../../src/index.ts'

test('T7 on a server it is an empty form: no request, no warning, no storage, no key', () => {
  expect(typeof document).toBe('undefined')
  const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const fetch = vi.fn<() => Promise<Response>>()
  const html = renderToString(
    <PetstoreProvider
      baseUrl="https://pets.test/v1"
      quickstartBaseUrl="https://start.test"
      apiKey="secret-of-a-person"
      fetch={fetch}
    >
      <MessageComposer draftKey="draft" maxLength={140} />
    </PetstoreProvider>,
  )
  expect(html).toContain('140 characters left')
  expect(html).toContain('Press Ctrl+Enter to send.')
  expect(html).toMatch(/<form [^>]*method="dialog"/)
  expect(html).not.toMatch(/<ul|<time|style=|secret/)
  expect(fetch).not.toHaveBeenCalled()
  for (const spy of logged) expect(spy).not.toHaveBeenCalled()
})

test('T5 on a server nobody shares texts with anybody', () => {
  const ofOne = outboxStoreFor('draft')
  ofOne.write('of one person')
  expect(outboxStoreFor('draft').getSnapshot().draft).toBe('')
})
