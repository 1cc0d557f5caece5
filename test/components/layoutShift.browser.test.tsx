import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import '../../src/styles.css'
import { CategoryList, CategoryManager, RateLimitBadge, useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { renderOnService } from '../renderOnService.tsx'

/* What moves on the page when the first response arrives, in Chromium's layout shift scores. */

beforeEach(() => page.viewport(900, 700))
afterEach(cleanup)

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Records shifts from now on. The returned function gives their sum, after the page was painted twice. */
function watchShifts(): () => Promise<number> {
  const entries: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
  observer.observe({ type: 'layout-shift' })
  onTestFinished(() => observer.disconnect())
  return async () => {
    await nextFrame()
    await nextFrame()
    entries.push(...observer.takeRecords())
    return entries.reduce((sum, entry) => sum + ('value' in entry ? Number(entry.value) : 0), 0)
  }
}

function Badge() {
  useCategories()
  return <RateLimitBadge />
}

/** Without the number, which changes when a new minute begins. */
const requestsLeft = /of 60 requests left/

/** The score of one word. The word for the state, such as "Available", ends at the edge of the badge, so another word begins elsewhere. */
const oneWordScore = 0.0001

test.each([
  [
    'the badge',
    <div key="badge">
      <Badge />
      <p>Below</p>
    </div>,
    requestsLeft,
    oneWordScore,
  ],
  ['the list', <CategoryList key="list" />, 'Rabbit', 0],
  ['the manager', <CategoryManager key="manager" />, 'Rabbit', oneWordScore],
  [
    'a narrow manager',
    <div key="narrow" style={{ inlineSize: '390px' }}>
      <CategoryManager />
    </div>,
    'Rabbit',
    oneWordScore,
  ],
])('%s moves nothing when the first response arrives', async (_, ui, text, maxScore) => {
  const service = createPetstoreService()
  const { fetch, hold } = holdResponses(service)
  const { arrived, letGo } = hold('GET')
  renderOnService(ui, { service: { ...service, fetch: (input) => fetch(new Request(input)) } })
  await arrived
  await nextFrame()
  await nextFrame()
  const shifts = watchShifts()
  letGo()
  await screen.findByText(text)
  expect(await shifts()).toBeLessThanOrEqual(maxScore)
})

test('the watch sees a shift', async () => {
  renderOnService(<p>Below</p>)
  await nextFrame()
  await nextFrame()
  const shifts = watchShifts()
  const spacer = document.createElement('div')
  spacer.style.blockSize = '100px'
  document.body.prepend(spacer)
  expect(await shifts()).toBeGreaterThan(0)
  spacer.remove()
})
