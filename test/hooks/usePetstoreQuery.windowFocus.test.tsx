import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createSearchService,
  holdRequests,
  pass,
  recordingClient,
  renderOnClient,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, refresh, renderFound, shown } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

const dispatch = (event: 'focus' | 'blur') => act(() => void window.dispatchEvent(new Event(event)))
const setVisibility = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
// In jsdom, `hasFocus()` stays true after the window has lost the focus. `callForPage` would see a focused iframe.
beforeEach(() => void vi.spyOn(document, 'hasFocus').mockReturnValue(false))
afterEach(() => dispatch('focus')) // `callForPage` remembers a blur, also for the next test

/** Shows a query whose request waits until `release`. */
function show(term: string) {
  const service = createSearchService()
  const { fetch, release } = holdRequests(service.fetch)
  const { client, priorities } = recordingClient({ fetch })
  renderOnClient(<Found term={term} />, client)
  return { service, priorities, release }
}

test('a request of a window that has never had the focus has the priority of a person', async () => {
  const { priorities } = await renderFound()
  refresh()
  await settle(() => shown()[0] === 'dog 2, no error, idle')
  expect(priorities).toEqual(['user', 'user'])
})

test.each([
  ['that has lost the focus', () => dispatch('blur'), () => dispatch('focus')],
  ['in a hidden tab', () => setVisibility('hidden'), () => setVisibility('visible')],
])(
  'a request of a window %s is a background one, until a person looks at the window again',
  async (_, leave, comeBack) => {
    // The first query begins to watch the window.
    await renderFound()
    leave()
    const { service, priorities, release } = show('cat')
    await pass(1)
    expect(priorities).toEqual(['background'])
    comeBack()
    await pass(1)
    expect(priorities).toEqual(['background', 'user'])
    release()
    await settle(() => shown()[1] === 'cat 1, no error, idle')
    expect(shown()[1]).toBe('cat 1, no error, idle')
    expect(service.requests).toHaveLength(1)
    leave()
    comeBack()
    await pass(1)
    expect(priorities).toEqual(['background', 'user'])
  },
)

test('a request of a page whose iframe has the focus has the priority of a person', async () => {
  await renderFound()
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  dispatch('blur')
  expect(show('cat').priorities).toEqual(['user'])
})
