import { cleanup, fireEvent, screen } from '@testing-library/react'
import { type ReactNode, startTransition, Suspense, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  PetstoreProvider,
  useCategories,
  type UseCategoriesOptions,
  usePetstoreQuery,
  type UsePetstoreQueryOptions,
} from '../../src/index.ts'
import type { ApiKey } from '../../src/client/apiKey.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import {
  createSearchService,
  frame,
  holdRequests,
  recordingClient,
  renderSuspending,
  renderOnClient,
  search,
  settle,
  suspending,
} from './query.setup.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {})) // React logs what boundaries catch
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const dogs = () => createPetstoreService({ categories: [{ name: 'Dog' }] })

function Names(options: Omit<UseCategoriesOptions, 'suspense'>) {
  const { data, error, refresh } = useCategories({ ...options, suspense: true })
  return (
    <button type="button" onClick={() => void refresh()}>
      {`${data.map(({ name }) => name).join()}, ${error?.kind ?? 'no error'}`}
    </button>
  )
}

const bounded = (children: ReactNode) => <Suspense fallback="suspended">{children}</Suspense>
const click = (element: HTMLElement) => suspending(() => fireEvent.click(element))

async function expectText(text: string | RegExp): Promise<void> {
  await settle(() => screen.queryByText(text) !== null)
  expect(screen.getByText(text)).toBeDefined()
}

describe.each(['inside', 'outside'] as const)('with a Suspense boundary %s the provider, a list', (place) => {
  /** An app in which React renders everything inside the suspended tree from scratch on each attempt. */
  function appOf(fetch: (request: Request) => Promise<Response>, keyOf: () => ApiKey, scope?: string) {
    const baseUrl = newAddress()
    function App() {
      const isInline = scope !== undefined
      return (
        <PetstoreProvider
          baseUrl={baseUrl}
          apiKey={keyOf()}
          fetch={isInline ? (request) => fetch(request) : fetch}
          scope={scope}
          retry={{ attempts: 1 }}
        >
          {place === 'inside' ? bounded(<Names />) : <Names />}
        </PetstoreProvider>
      )
    }
    return place === 'inside' ? <App /> : bounded(<App />)
  }

  const stableKey = () => 'demo'
  const kinds: [kind: string, keyOf: () => ApiKey, scope?: string][] = [
    ['a string', () => 'demo'],
    ['a stable function', () => stableKey],
    ['an inline arrow and a scope', () => () => 'demo', 'scope'],
  ]

  test.each(kinds)('sends one request with %s as the key', async (_, keyOf, scope) => {
    const service = dogs()
    const { fetch, release } = holdRequests(service.fetch)
    await renderSuspending(appOf(fetch, keyOf, scope && `${scope} ${place}`))
    expect(screen.getByText('suspended')).toBeDefined()
    await suspending(release)
    await expectText('Dog, no error')
    await frame()
    expect(screen.getByText('Dog, no error')).toBeDefined()
    expect(service.requests).toHaveLength(1)
  })

  test('refreshes after the first load', async () => {
    const service = dogs()
    await renderSuspending(appOf(service.fetch, () => 'demo'))
    await expectText('Dog, no error')
    await click(screen.getByRole('button'))
    await settle(() => service.requests.length === 2)
    service.failNext({ status: 500 })
    await click(screen.getByRole('button'))
    // With data, a failure neither throws nor suspends.
    await expectText('Dog, server')
    expect(service.requests.map(({ status }) => status)).toEqual([200, 200, 500])
  })
})

test('a list with fallbackData does not suspend', async () => {
  const { hold, fetch } = holdResponses(dogs())
  const response = hold('GET')
  const { client } = recordingClient({ fetch })
  await suspending(() => renderOnClient(bounded(<Names fallbackData={[]} />), client))
  expect(screen.getByText(', no error')).toBeDefined()
  response.letGo()
  await expectText('Dog, no error')
})

describe('an input', () => {
  type Options = UsePetstoreQueryOptions<readonly string[]>

  function Found({ term, ...options }: Options & { term: string | null }) {
    const { data } = usePetstoreQuery(search, term === null ? null : { term }, { ...options, suspense: true })
    return <p>{data?.join() ?? 'no request'}</p>
  }

  function Terms(options: Options) {
    const [term, setTerm] = useState<string | null>(null)
    return (
      <>
        {['dog', 'cat'].map((next) => (
          <button key={next} type="button" onClick={() => setTerm(next)}>
            {next}
          </button>
        ))}
        <button type="button" onClick={() => startTransition(() => setTerm('rabbit'))}>
          in transition
        </button>
        {bounded(<Found term={term} {...options} />)}
      </>
    )
  }

  const choose = (name: string) => click(screen.getByRole('button', { name }))

  /** Each call of `response` delivers the next response. */
  async function renderTerms(options: Options = {}) {
    const service = createSearchService()
    const waiting: (() => void)[] = []
    const fetch = async (request: Request) => {
      const one = holdRequests(service.fetch)
      waiting.push(one.release)
      return one.fetch(request)
    }
    await suspending(() => renderOnClient(<Terms {...options} />, recordingClient({ fetch }).client))
    return {
      response: async () => {
        await settle(() => waiting.length > 0)
        await suspending(() => waiting.shift()?.())
      },
    }
  }

  test('of null does not suspend; each new input does', async () => {
    const { response } = await renderTerms()
    expect(screen.getByText('no request')).toBeDefined()
    await choose('dog')
    expect(screen.getByText('suspended')).toBeDefined()
    await response()
    await expectText('dog 1')
    await choose('cat')
    expect(screen.getByText('suspended')).toBeDefined()
    await response()
    await expectText('cat 2')
    await choose('dog')
    expect(screen.getByText('dog 1')).toBeDefined()
  })

  test('that changes in a transition keeps the old data on screen', async () => {
    const { response } = await renderTerms()
    await choose('dog')
    await response()
    await expectText('dog 1')
    await choose('in transition')
    await settle()
    expect(screen.queryByText('suspended')).toBeNull()
    expect(screen.getByText('dog 1')).toBeDefined()
    await response()
    await expectText('rabbit 2')
  })
})
