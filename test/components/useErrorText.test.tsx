import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import {
  CategoryList,
  createPetstoreClient,
  type PetstoreClientOptions,
  type PetstoreError,
  PetstoreProvider,
  type PetstoreProviderProps,
  RateLimitBadge,
  RateLimitError,
  useCreateCategory,
  useErrorText,
} from '../../src/index.ts'
import { ar } from '../../src/labels/ar.ts'
import { de } from '../../src/labels/de.ts'
import { en } from '../../src/labels/en.ts'
import { ja } from '../../src/labels/ja.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { advanceTime, cleanPage, fakeTime } from './page.setup.ts'

cleanPage()

type Fetch = (request: Request) => Promise<Response>
const refuse =
  (status: number, headers: HeadersInit = {}): Fetch =>
  async () =>
    Response.json({ code: 'REFUSED', message: 'No.' }, { status, headers })

function renderPage(
  children: ReactNode,
  props: Partial<PetstoreClientOptions> & Pick<PetstoreProviderProps, 'labels'>,
) {
  return render(
    <OwnCache>
      <PetstoreProvider baseUrl={newAddress()} retry={{ attempts: 1, maxWait: 0 }} {...props}>
        {children}
      </PetstoreProvider>
    </OwnCache>,
  )
}

describe('behind a handler, where the page has no key', () => {
  test.each([en, de, ja, ar])('401 says that the person is signed out: $locale', async (labels) => {
    const { container } = renderPage([<RateLimitBadge key="badge" />, <CategoryList key="list" />], {
      fetch: refuse(401),
      labels,
    })
    const { signedOut } = labels.errorNotice.situations
    await screen.findByText(signedOut.title)
    screen.getByText(signedOut.advice)
    expect(container.textContent).not.toContain(labels.errorNotice.errors.authentication.title)
    expect(container.textContent).not.toContain(labels.rateLimitBadge.rejected)
    expect(container.textContent).not.toContain(labels.rateLimitBadge.waitsForKey)
  })

  test('a 401 with the code of a handler says that, too, even where the page has a key by mistake', async () => {
    const fetch: Fetch = async () =>
      Response.json({ code: 'signed-out', message: 'Sign in first.', status: 401 }, { status: 401 })
    renderPage(<CategoryList />, { fetch, apiKey: 'demo', labels: en })
    expect(await screen.findByText(en.errorNotice.situations.signedOut.title)).toBeDefined()
  })

  test.each([
    ['403', refuse(403), en.errorNotice.situations.notPermitted.advice],
    ['403 with a time', refuse(403, { 'Retry-After': '3600' }), en.errorNotice.situations.servicePaused.title],
  ])('%s names no key', async (_, fetch, text) => {
    const { container } = renderPage(<CategoryList />, { fetch })
    await screen.findByText(text)
    expect(container.textContent).not.toMatch(/\bkey\b/i)
  })

  test('with a key, 401 says that the key is rejected', async () => {
    renderPage(<CategoryList />, { fetch: refuse(401), apiKey: 'demo' })
    expect(await screen.findByText(en.errorNotice.errors.authentication.title)).toBeDefined()
  })
})

test('an `apiKey` function that fails is no key that the service rejects', async () => {
  const apiKey = () => Promise.reject(new Error('The token endpoint is down.'))
  const { container } = renderPage([<RateLimitBadge key="badge" />, <CategoryList key="list" />], { apiKey })
  await screen.findByText(en.errorNotice.otherError.title)
  expect(container.textContent).not.toContain(en.errorNotice.errors.authentication.title)
  expect(container.textContent).not.toContain(en.rateLimitBadge.rejected)
})

test('an error whose wait is over says that one can try again now', () => {
  const context = { operation: 'listCategories', attempts: 1, method: 'GET', replay: 'safe' } as const
  const error = new RateLimitError(context, Date.now() - 60_000)
  renderPage(<Toast error={error} />, {})
  expect(screen.getByTestId('toast').textContent).toContain(en.errorNotice.retryNow)
})

/** Shows failures that nobody else shows. */
function Toast({ error }: { readonly error: PetstoreError | undefined }) {
  const errorText = useErrorText()
  return error ? (
    <p data-testid="toast" data-kind={error.kind}>
      {Object.values(errorText(error)).join(': ')}
    </p>
  ) : null
}

function App({
  labels,
  fetch,
  baseUrl = newAddress(),
  children,
}: Pick<PetstoreProviderProps, 'labels' | 'children'> & { readonly fetch: Fetch; readonly baseUrl?: string }) {
  const [failure, setFailure] = useState<PetstoreError>()
  return (
    <OwnCache>
      <PetstoreProvider
        baseUrl={baseUrl}
        apiKey="demo"
        labels={labels}
        fetch={fetch}
        retry={{ maxWait: 0 }}
        onError={(error, { handled }) => {
          if (!handled) setFailure(error)
        }}
      >
        {children}
        <Toast error={failure} />
      </PetstoreProvider>
    </OwnCache>
  )
}

function AddRabbit() {
  const { trigger } = useCreateCategory()
  return (
    <button type="button" onClick={() => trigger({ name: 'Rabbit' })}>
      Add
    </button>
  )
}

describe('a toast for a failure that nobody handles', () => {
  test.each([en, de])('says that a POST whose response was lost may have gone through: $locale', async (labels) => {
    const service = createPetstoreService()
    render(
      <App labels={labels} fetch={service.fetch}>
        <AddRabbit />
      </App>,
    )
    service.failNext({ connection: 'lost-after' })
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    const { title, advice } = labels.errorNotice.situations.mayHaveHappened
    expect((await screen.findByTestId('toast')).textContent).toBe(`${title}: ${advice}`)
  })

  test('says when a person can try again', async () => {
    const fetch = refuse(429, { 'Retry-After': '30' })
    render(
      <App fetch={fetch}>
        <AddRabbit />
      </App>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    expect((await screen.findByTestId('toast')).textContent).toMatch(
      /^Request limit reached: You can try again in 3\d seconds\.$/,
    )
  })

  test.each([
    ['during a pause of the key', '60', 30, 'API key paused by the service'],
    ['after a pause of the key', '60', 90, 'Request limit reached'],
    ['after a 403 without a time', undefined, 0, 'Request limit reached'],
  ])('says why the gate refuses a call %s', async (_, retryAfter, later, title) => {
    fakeTime()
    const baseUrl = newAddress()
    // Closes the gate by a 429, unless it is closed already, so that it refuses the second call of the app.
    const other = createPetstoreClient({ baseUrl, apiKey: 'demo', fetch: refuse(429, { 'Retry-After': '60' }) })
    const fetch = vi.fn<Fetch>(refuse(403, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }))
    render(
      <App fetch={fetch} baseUrl={baseUrl}>
        <AddRabbit />
      </App>,
    )
    const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    add()
    await screen.findByTestId('toast')
    await advanceTime(later * 1_000)
    await other.listCategories({ maxWait: 0 }).catch(() => {})
    add()
    await waitFor(() => expect(screen.getByTestId('toast').dataset['kind']).toBe('rate-limit'))
    expect(screen.getByTestId('toast').textContent).toContain(title)
    expect(fetch).toHaveBeenCalledOnce()
    other.close()
  })
})
