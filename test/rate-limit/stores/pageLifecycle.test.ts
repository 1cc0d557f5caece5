import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchPageLifecycle } from '../../../src/rate-limit/stores/presence.ts'
import { arePermitted, headersWith, type RateLimiterSetup, setup, start } from '../rateLimiter.setup.ts'

let pageDocument: EventTarget
let pageWindow: EventTarget
/** How many listeners each event has. */
let listenerCounts: Record<string, number>

class CountingTarget extends EventTarget {
  override addEventListener(...args: Parameters<EventTarget['addEventListener']>) {
    listenerCounts[args[0]] = (listenerCounts[args[0]] ?? 0) + 1
    super.addEventListener(...args)
  }
}

beforeEach(() => {
  pageDocument = new CountingTarget()
  pageWindow = new CountingTarget()
  listenerCounts = {}
  vi.stubGlobal('document', pageDocument)
  vi.stubGlobal('self', pageWindow)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the events of a page', () => {
  it('call onWake when the page is back, onOnline when the machine is, and onHide when it may be unloaded', () => {
    const calls: string[] = []
    const stop = watchPageLifecycle({
      onWake: () => calls.push('wake'),
      onOnline: () => calls.push('online'),
      onHide: () => calls.push('hide'),
    })
    pageDocument.dispatchEvent(new Event('visibilitychange'))
    for (const type of ['online', 'pageshow', 'pagehide']) pageWindow.dispatchEvent(new Event(type))
    expect(calls).toEqual(['wake', 'online', 'wake', 'hide'])
    stop()
    pageDocument.dispatchEvent(new Event('visibilitychange'))
    expect(calls).toHaveLength(4)
  })

  it('call onOnline in a worker, which has no document', () => {
    vi.stubGlobal('document', undefined)
    let onlines = 0
    const stop = watchPageLifecycle({ onWake: () => {}, onOnline: () => (onlines += 1), onHide: () => {} })
    pageWindow.dispatchEvent(new Event('online'))
    stop()
    pageWindow.dispatchEvent(new Event('online'))
    expect(onlines).toBe(1)
  })

  it.each([
    ['on a server', undefined],
    ['in React Native', {}],
  ])('are ignored %s', (_, scope) => {
    vi.stubGlobal('document', undefined)
    vi.stubGlobal('self', scope)
    watchPageLifecycle({ onWake: () => {}, onOnline: () => {}, onHide: () => {} })()
    expect(listenerCounts).toEqual({})
  })
})

describe('a limiter on a page', () => {
  let test: RateLimiterSetup

  beforeEach(() => {
    test = setup()
  })

  it.each(['visibilitychange', 'online', 'pageshow'])('evaluates its queue on %s', async (type) => {
    // The machine sleeps: time passes, and no timer fires.
    let slept = 0
    const limiter = await test.createLimiterWith(0, {
      clock: { ...test.clock, now: () => test.clock.now() + slept, wakeAfter: () => () => {} },
    })
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    slept = 40_000
    await test.flushPromises()
    expect(request.permit).toBeUndefined()
    const target = type === 'visibilitychange' ? pageDocument : pageWindow
    target.dispatchEvent(new Event(type))
    await test.flushPromises()
    expect(request.permit?.sentAt).toBe(start + 40_000)
  })

  it('reports its requests as lost on pagehide', async () => {
    const limiter = await test.createLimiterWith(9)
    const requests = [test.enter(limiter, 'a'), test.enter(limiter, 'b')]
    await test.flushPromises()
    expect((await test.readStored()).inFlight).toMatchObject({ a: { count: 2 } })
    pageWindow.dispatchEvent(new Event('pagehide'))
    await test.flushPromises()
    expect(await test.readStored()).toMatchObject({ inFlight: {}, windows: [{ remaining: 7 }] })
    expect(arePermitted(requests)).toEqual([true, true])
  })

  it('records a response that arrives after pagehide', async () => {
    const limiter = await test.createLimiterWith(9)
    const request = test.enter(limiter, 'a')
    await test.flushPromises()
    pageWindow.dispatchEvent(new Event('pagehide'))
    await test.flushPromises()
    await request.permit?.release({ rateLimitHeaders: headersWith(3), status: 200 })
    expect((await test.readStored()).windows).toMatchObject([{ remaining: 3 }])
  })

  it('does not report a request as lost that has got its response', async () => {
    const limiter = await test.createLimiterWith(9)
    const requests = [test.enter(limiter, 'a'), test.enter(limiter, 'b')]
    await test.flushPromises()
    await requests[0]?.permit?.release({ rateLimitHeaders: headersWith(8), status: 200 })
    pageWindow.dispatchEvent(new Event('pagehide'))
    await test.flushPromises()
    expect((await test.readStored()).windows).toMatchObject([{ remaining: 7 }])
  })

  it('listens to each event once, whatever comes and goes', async () => {
    for (const id of ['a', 'b']) {
      const limiter = test.createLimiter()
      const request = test.enter(limiter, id)
      await test.flushPromises()
      await request.permit?.release()
      await test.flushPromises()
    }
    expect(listenerCounts).toEqual({ visibilitychange: 1, online: 1, pageshow: 1, pagehide: 1 })
  })
})
