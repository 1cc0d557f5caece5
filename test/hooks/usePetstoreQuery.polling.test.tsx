import { describe, expect, test, vi } from 'vitest'
import {
  createSearchService,
  network,
  pass,
  recordingClient,
  renderOnClient,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, renderFound, shown } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

describe('refreshInterval', () => {
  test('sends a background request each period, and continues after failures', async () => {
    const { service, priorities } = await renderFound({ refreshInterval: 10_000 })
    await pass(9_990)
    expect(service.requests).toHaveLength(1)
    await pass(10)
    expect(shown()).toEqual(['dog 2, no error, idle'])
    service.failNext({ status: 500 })
    await pass(10_000)
    expect(shown()).toEqual(['dog 2, server, idle'])
    await pass(10_000)
    expect(shown()).toEqual(['dog 3, no error, idle'])
    expect(priorities).toEqual(['user', 'background', 'background', 'background'])
  })

  test('ten components that mount one after the other send one request per period', async () => {
    const service = createSearchService()
    const { client } = recordingClient(service)
    const { rerender } = renderOnClient(<p />, client)
    for (let count = 1; count <= 10; count += 1) {
      rerender(
        <>
          {Array.from({ length: count }, (_, index) => (
            <Found key={index} term="dog" refreshInterval={10_000} />
          ))}
        </>,
      )
      await settle(() => service.requests.length > 0)
      await pass(900)
    }
    const { length } = service.requests
    await pass(100_000)
    expect(service.requests).toHaveLength(length + 10)
    const times = service.requests.slice(length).map(({ at }) => at)
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(Array.from({ length: 9 }, () => 10_000))
  })

  test('pauses while the page is hidden', async () => {
    const { service } = await renderFound({ refreshInterval: 10_000 })
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await pass(30_000)
    expect(service.requests).toHaveLength(1)
    visibility.mockRestore()
    await pass(10_000)
    expect(service.requests).toHaveLength(2)
  })

  test('pauses while the page is offline', async () => {
    const { service } = await renderFound({ refreshInterval: 10_000 })
    await network('offline')
    await pass(30_000)
    expect(service.requests).toHaveLength(1)
    await network('online')
    await pass(10_000)
    expect(service.requests.length).toBeGreaterThan(1)
  })

  test('can change, and can be removed', async () => {
    const { service, rerenderFound, unmount } = await renderFound({ refreshInterval: 10_000 })
    rerenderFound({ refreshInterval: 20_000 })
    await pass(19_000)
    expect(service.requests).toHaveLength(1)
    await pass(1_000)
    expect(service.requests).toHaveLength(2)
    rerenderFound({ refreshInterval: 5_000 })
    await pass(5_000)
    expect(service.requests).toHaveLength(3)
    for (const never of [undefined, 0, -1, Number.NaN]) {
      rerenderFound({ refreshInterval: never })
      await pass(60_000)
      expect(service.requests).toHaveLength(3)
    }
    rerenderFound({ refreshInterval: 5_000 })
    await pass(5_000)
    expect(service.requests).toHaveLength(4)
    unmount()
    await pass(60_000)
    expect(service.requests).toHaveLength(4)
  })
})
