import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  type CallOptions,
  type CallWait,
  createPetstoreClient,
  type PetstoreClient,
  usePetstoreQuery,
} from '../../src/index.ts'
import type { PetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import {
  createSearchService,
  focus,
  network,
  pass,
  recordingClient,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, refresh, renderFound, shown, texts } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

describe.each(['low', 'exhausted', 'cooling-down'] as const)('while the quota is %s', (status) => {
  test('a remount, a focus and a reconnect send no request, and change nothing on the screen', async () => {
    const { service, setQuota, rerender, rerenderFound, priorities } = await renderFound()
    service.failNext({ status: 500 })
    refresh()
    await settle()
    expect(shown()).toEqual(['dog 1, server, idle'])
    await pass(60_000)

    setQuota(status)
    texts.length = 0
    rerender(<p />)
    rerenderFound({})
    await pass(60_000)
    await focus()
    await network('offline')
    await network('online')
    expect(new Set(texts)).toEqual(new Set(['dog 1, server, idle']))
    expect(shown()).toEqual(['dog 1, server, idle'])
    expect(priorities).toEqual(['user', 'user'])

    setQuota('ok')
    await pass(60_000)
    await focus()
    expect(shown()).toEqual(['dog 2, no error, idle'])
    expect(priorities).toEqual(['user', 'user', 'background'])
  })

  test('a first load and a refresh are sent, both with user priority', async () => {
    const service = createSearchService()
    const { client, setQuota, priorities } = recordingClient(service)
    setQuota(status)
    renderOnClient(<Found term="dog" />, client)
    await settle(() => service.requests.length > 0)
    refresh()
    await settle()
    expect(shown()).toEqual(['dog 2, no error, idle'])
    expect(priorities).toEqual(['user', 'user'])
  })

  test('polling pauses', async () => {
    const { service, setQuota } = await renderFound({ refreshInterval: 10_000 })
    setQuota(status)
    await pass(35_000)
    expect(service.requests).toHaveLength(1)
    setQuota('ok')
    await pass(10_000)
    expect(service.requests).toHaveLength(2)
  })
})

/** A client that has sent 17 requests. Of a quota of 20, background requests may use 18. */
async function almostUsedUp(service: PetstoreService): Promise<PetstoreClient> {
  const client = createPetstoreClient({ ...optionsFor(service), retry: { attempts: 1, maxWait: Infinity } })
  const calls = Array.from({ length: 17 }, (_, index) => client.call(search, { term: String(index) }))
  await settle(() => service.requests.filter((entry) => entry.status === 200).length === 17)
  await Promise.all(calls)
  return client
}

describe('while the gate delays a request', () => {
  const day = 86_400_000
  /** Background requests leave a tenth of the quota, two requests, to people until 10 s before the window ends. */
  const releasedAt = (client: PetstoreClient) => (client.rateLimit.getSnapshot().resetAt ?? Number.NaN) - 10_000

  test('all components with the query show its wait, and a refresh sends the request at once', async () => {
    const service = createSearchService({ plan: [{ limit: 20, per: day }] })
    const client = await almostUsedUp(service)
    const renders: string[] = []
    function Reading() {
      const found = usePetstoreQuery(search, { term: 'dog' })
      renders.push('reading')
      return (
        <button type="button" onClick={() => void found.refresh()} onDoubleClick={() => void found.mutate()}>
          {`${found.data?.join()} until ${found.wait?.until}`}
        </button>
      )
    }
    function NotReading() {
      renders.push('not reading')
      return <p>{usePetstoreQuery(search, { term: 'dog' }).data}</p>
    }
    renderOnClient(
      <>
        <Reading />
        <Reading />
        <NotReading />
      </>,
      client,
    )
    await settle(() => service.requests.length === 18)
    expect(shown()).toEqual(['dog 18 until undefined', 'dog 18 until undefined'])
    renders.length = 0

    fireEvent.doubleClick(screen.getAllByRole('button')[0] ?? document.body) // a background request
    await settle()
    const retryAt = releasedAt(client)
    expect(retryAt).toBeGreaterThan(Date.now() + 10 * 3_600_000) // hours away: the window is a day
    expect(shown()).toEqual([`dog 18 until ${retryAt}`, `dog 18 until ${retryAt}`])
    expect(service.requests).toHaveLength(18)
    expect(renders).toContain('reading')
    expect(renders).not.toContain('not reading')

    refresh()
    await settle(() => service.requests.length === 19)
    expect(shown()).toEqual(['dog 19 until undefined', 'dog 19 until undefined'])
    expect(service.requests).toHaveLength(19)
  })

  test('`wait` says until when and why a request waits, and whether it may take longer', async () => {
    const { client } = recordingClient(createSearchService())
    let notify: NonNullable<CallOptions['onWait']> = () => {}
    const call: PetstoreClient['call'] = (_operation, ...[, options]) => {
      notify = options?.onWait ?? notify
      return new Promise(() => {})
    }
    function Waiting() {
      const { wait } = usePetstoreQuery(search, { term: 'dog' })
      return <p>{`${wait?.until} ${wait?.reason} ${wait?.isEarliest ? 'at the earliest' : 'then'}`}</p>
    }
    renderOnClient(<Waiting />, { ...client, call })
    await settle()
    const shownAfter = async (wait?: CallWait) => {
      act(() => notify(wait))
      return screen.getByRole('paragraph').textContent
    }
    expect(await shownAfter({ until: 1_000, reason: 'rate-limit', isEarliest: true })).toBe(
      '1000 rate-limit at the earliest',
    )
    expect(await shownAfter({ until: 1_000, reason: 'rate-limit', isEarliest: false })).toBe('1000 rate-limit then')
    expect(await shownAfter({ until: 1_000, reason: 'connection', isEarliest: false })).toBe('1000 connection then')
    expect(await shownAfter()).toBe('undefined undefined then')
  })
})
