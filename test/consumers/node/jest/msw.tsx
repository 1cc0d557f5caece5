import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { CategoryList, PetstoreProvider } from 'petstore-react'
import { en } from 'petstore-react/locales/en'
import { createPetstoreService } from 'petstore-react/testing'
import { SWRConfig } from 'swr'

const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
const server = setupServer(
  // A lost connection rejects, which Mock Service Worker would turn into a 500.
  http.all('https://petstore.example/*', ({ request }) => service.fetch(request).catch(() => HttpResponse.error())),
)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  service.reset()
})
afterAll(() => server.close())

/** The app as it is, with the address of its service and the global `fetch`. */
function renderApp() {
  return render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <PetstoreProvider
        baseUrl="https://petstore.example/v1"
        apiKey="demo"
        rateLimitStore={service.providerProps().rateLimitStore}
        retry={{ attempts: 1 }}
      >
        <CategoryList />
      </PetstoreProvider>
    </SWRConfig>,
  )
}

test('an app on Mock Service Worker shows what the service has', async () => {
  renderApp()
  await screen.findByText('Dog')
  expect(service.requests.map(({ operation, status }) => [operation, status])).toEqual([['listCategories', 200]])
})

test('an app on Mock Service Worker shows what fails in the service', async () => {
  service.failNext({ status: 500 })
  const { unmount } = renderApp()
  await screen.findByText(en.errorNotice.errors.server.title)
  unmount()
  service.failNext({ connection: 'lost-before' })
  renderApp()
  await screen.findByText(en.errorNotice.errors.network.title)
})
