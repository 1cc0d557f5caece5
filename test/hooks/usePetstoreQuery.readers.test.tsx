import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type ReactElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import {
  createPetstoreClient,
  type PetstoreEvent,
  usePetstoreQuery,
  type UsePetstoreQueryOptions,
} from '../../src/index.ts'
import { newAddress } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import {
  createSearchService,
  pass,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
  suspending,
} from './query.setup.tsx'

stopTimeInEachTest()

type Options = UsePetstoreQueryOptions<readonly string[]>

/** Shows the state of a search, and refreshes it when pressed. */
function Found({ term, ...options }: Options & { readonly term: string }): ReactElement {
  const found = usePetstoreQuery(search, { term }, options)
  const { data, error, isLoading, isValidating, wait: waiting } = found
  const state = isLoading ? 'loading' : isValidating ? 'validating' : 'idle'
  const wait = waiting ? ', waits' : ''
  return (
    <button type="button" onClick={() => void found.refresh()}>
      {`${term}: ${data?.join() ?? 'nothing'}, ${error?.kind ?? 'no error'}, ${state}${wait}`}
    </button>
  )
}

const shown = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const press = () => fireEvent.click(screen.getAllByRole('button')[0] as HTMLElement)

/** Renders, waits for the responses, and then has the service refuse the key with `Retry-After: 3`. */
async function renderCoolingDown(ui: ReactElement, attempts = 1) {
  const service = createSearchService()
  const { hold, fetch } = holdResponses(service)
  const events: PetstoreEvent[] = []
  const options = { baseUrl: newAddress(), apiKey: 'demo', fetch }
  const client = createPetstoreClient({
    ...options,
    retry: { attempts, maxWait: 60_000 },
    onEvent: (event) => void events.push(event),
  })
  const { getSnapshot } = client.rateLimit
  // Polling rests while the quota is low.
  const rateLimit = { ...client.rateLimit, getSnapshot: () => ({ ...getSnapshot(), status: 'ok' }) as const }
  const view = renderOnClient(ui, { ...client, rateLimit })
  await settle()
  let refused: Promise<unknown> | undefined
  const coolDown = async () => {
    service.reset()
    events.length = 0
    service.failNext({ status: 429, headers: { 'Retry-After': '3' } })
    refused = client.listCategories()
    refused.catch(() => {}) // it rejects where a test ends before the cool-down
    await settle(() => service.requests.length === 1)
  }
  await coolDown()
  return {
    ...view,
    client,
    service,
    events,
    hold,
    coolDown,
    /** The terms that have been searched since the cool-down began. */
    searched: () => service.requests.flatMap(({ path }) => new URLSearchParams(path.split('?')[1]).get('term') ?? []),
    endCoolDown: async () => {
      await pass(10_000) // more than 3 s and the jitter
      await refused
      await settle()
    },
    show: async (next: ReactElement) => {
      await suspending(() => view.rerender(next))
      await settle()
      if (vi.isFakeTimers()) await pass(1) // requests without a reader are canceled in a timeout
    },
  }
}

const page = (term: string, options: Options = {}) => <Found key={term} term={term} {...options} />

describe('a request that waits leaves the queue when nobody reads it any more', () => {
  test('six keystrokes in a search box send one request', async () => {
    const { show, endCoolDown, searched } = await renderCoolingDown(<p />)
    for (const term of ['r', 'ra', 'rab', 'rabb', 'rabbi', 'rabbit']) await show(<Found term={term} />)
    expect(shown()).toEqual(['rabbit: nothing, no error, loading, waits'])
    await endCoolDown()
    expect(searched()).toEqual(['rabbit'])
    expect(shown()).toEqual(['rabbit: rabbit 1, no error, idle'])
  })

  test('a query that is disabled sends none, and loads when it is enabled again', async () => {
    const { show, endCoolDown, searched, events } = await renderCoolingDown(<p />)
    await show(<Found term="dog" />)
    await show(<Found term="dog" enabled={false} />)
    expect(shown()).toEqual(['dog: nothing, no error, idle'])
    await show(<Found term="dog" enabled />)
    expect(shown()).toEqual(['dog: nothing, no error, loading, waits'])
    await show(<Found term="dog" enabled={false} />)
    await endCoolDown()
    expect(searched()).toEqual([])
    expect(events.filter(({ type, operation }) => type === 'settled' && operation === 'search')).toMatchObject([
      { result: 'cancelled' },
      { result: 'cancelled' },
    ])
    await show(<Found term="dog" />)
    await settle(() => searched().length > 0)
    expect(shown()).toEqual(['dog: dog 1, no error, idle'])
  })

  test.each([
    ['by its interval', { refreshInterval: 1_000 }, () => pass(1_000)],
    ['by refresh()', {}, async () => press()],
    ['by refresh() of a disabled query', { enabled: false }, async () => press()],
  ])('so does a request that was started %s', async (_, options, start) => {
    const { show, endCoolDown, searched, coolDown } = await renderCoolingDown(page('dog'))
    await endCoolDown()
    const [before] = shown()
    expect(before).toMatch(/^dog: dog \d, no error, idle$/)
    await coolDown()
    await show(page('dog', options))
    await start()
    await settle()
    expect(shown()).toEqual([`${before ?? ''}, waits`.replace('idle', 'validating')])
    await show(<p />)
    await endCoolDown()
    expect(searched()).toEqual([])
    await show(page('dog', { enabled: false }))
    expect(shown()).toEqual([before])
  })

  test('so does the retry of a request that had left', async () => {
    const { show, endCoolDown, searched, service, events, hold } = await renderCoolingDown(<p />, 3)
    await endCoolDown()
    vi.useRealTimers() // `waitFor` needs timers that run
    service.failNext({ status: 503 })
    const response = hold('GET')
    await show(<Found term="dog" />)
    await response.arrived
    await show(<p />) // before the backoff begins, which may be as short as a millisecond
    response.letGo()
    await waitFor(() => expect(events).toContainEqual(expect.objectContaining({ type: 'response', status: 503 })))
    await waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'settled', result: 'cancelled' }))
    expect(searched()).toEqual(['dog'])
    await show(<Found term="dog" />)
    await waitFor(() => expect(shown()).toEqual(['dog: dog 1, no error, idle']))
    expect(searched()).toEqual(['dog', 'dog'])
  })
})

describe('a reader that comes back loads the data again', () => {
  test('without an error or a loading state of the request that was canceled', async () => {
    const { show, endCoolDown, searched } = await renderCoolingDown(<p />)
    await show(page('dog'))
    await show(page('cat'))
    await show(page('dog', { enabled: false }))
    expect(shown()).toEqual(['dog: nothing, no error, idle'])
    await show(page('dog'))
    expect(shown()).toEqual(['dog: nothing, no error, loading, waits'])
    await endCoolDown()
    expect(searched()).toEqual(['dog'])
    expect(shown()).toEqual(['dog: dog 1, no error, idle'])
  })
})

describe('a request that waits keeps its place', () => {
  test('while one of several components reads it', async () => {
    const readers = (count: number) => Array.from({ length: count }, (_, index) => <Found key={index} term="dog" />)
    const { show, endCoolDown, searched, events } = await renderCoolingDown(<p />)
    await show(<>{readers(3)}</>)
    await show(<>{readers(1)}</>)
    await endCoolDown()
    expect(searched()).toEqual(['dog'])
    expect(shown()).toEqual(['dog: dog 1, no error, idle'])
    expect(events.filter(({ type, operation }) => type === 'queued' && operation === 'search')).toHaveLength(1)
  })

  test('when a component is replaced by another one with the same query at once', async () => {
    const { rerender, show, endCoolDown, searched, events } = await renderCoolingDown(<p />)
    await show(<Found key="first" term="dog" />)
    rerender(<p />)
    rerender(<Found key="second" term="dog" />)
    await pass(1)
    await show(<Found key="third" term="dog" />)
    await endCoolDown()
    expect(searched()).toEqual(['dog'])
    expect(events.filter(({ type, operation }) => type === 'queued' && operation === 'search')).toHaveLength(1)
  })

  test('if the app has made the same call with the client', async () => {
    const { show, endCoolDown, searched, client } = await renderCoolingDown(<p />)
    const called = client.call(search, { term: 'dog' })
    await show(<Found term="dog" />)
    await show(<p />)
    await endCoolDown()
    expect(searched()).toEqual(['dog'])
    await expect(called).resolves.toEqual(['dog 1'])
  })
})

describe('a request that has left may end, and fills the cache', () => {
  test('after the last component has unmounted', async () => {
    const { show, endCoolDown, searched, hold } = await renderCoolingDown(<p />)
    await endCoolDown()
    const { arrived, letGo } = hold('GET')
    await show(<Found term="dog" />)
    await arrived
    await show(<p />)
    letGo()
    await settle()
    await show(<Found term="dog" enabled={false} />)
    expect(shown()).toEqual(['dog: dog 1, no error, idle'])
    expect(searched()).toEqual(['dog'])
  })
})
