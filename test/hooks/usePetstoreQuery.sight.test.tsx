import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createSearchService,
  held,
  pass,
  recordingClient,
  renderOnClient,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, refresh, renderFound, shown } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

const tell = (event: 'focus' | 'blur') => act(() => void window.dispatchEvent(new Event(event)))
const setVisibility = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
// jsdom says that a document has the focus as long as one of its elements had it last.
beforeEach(() => void vi.spyOn(document, 'hasFocus').mockReturnValue(false))
afterEach(() => tell('focus'))

/** Shows a query whose request waits until `release`. */
function show(term: string) {
  const service = createSearchService()
  const { fetch, release } = held(service.fetch)
  const { client, priorities } = recordingClient({ fetch })
  renderOnClient(<Found term={term} />, client)
  return { service, priorities, release }
}

test('what a window asks for that never had the focus is for a person', async () => {
  const { priorities } = await renderFound()
  refresh()
  await settle(() => shown()[0] === 'dog 2, well, idle')
  expect(priorities).toEqual(['user', 'user'])
})

test.each([
  ['that has lost the focus', () => tell('blur'), () => tell('focus')],
  ['of a hidden tab', () => setVisibility('hidden'), () => setVisibility('visible')],
])('what a window asks for %s leaves in the background, until it is seen again', async (_, leave, comeBack) => {
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
  await settle(() => shown()[1] === 'cat 1, well, idle')
  expect(shown()[1]).toBe('cat 1, well, idle')
  expect(service.requests).toHaveLength(1)
  leave()
  comeBack()
  await pass(1)
  expect(priorities).toEqual(['background', 'user'])
})

test('an iframe of the page that takes the focus leaves the page in sight', async () => {
  await renderFound()
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  tell('blur')
  expect(show('cat').priorities).toEqual(['user'])
})
