import type { Page } from 'playwright'
import type { StoryIndex } from 'storybook/internal/types'
import { expect, test } from 'vitest'
import { home, startBrowser } from './playground.setup.ts'

const { context } = startBrowser()

test.each([
  ['a laptop', 1280],
  ['a phone', 390],
])('nothing of any docs page moves while it loads, on %s', { timeout: 900_000 }, async (_, width) => {
  const { entries } = (await (await fetch(`${home}index.json`)).json()) as StoryIndex
  const ids = Object.values(entries).flatMap(({ id, type }) => (type === 'docs' ? [id] : []))
  expect(ids.length).toBeGreaterThan(46)
  const moved: string[] = []
  for (const id of ids) {
    const page = await context().newPage()
    await page.setViewportSize({ width, height: 800 })
    const shift = await layoutShiftOf(page, id)
    if (shift > 0.01) moved.push(`${id}: ${shift.toFixed(4)}`)
    await page.close()
  }
  expect(moved).toEqual([])
})

/**
 * How much of a docs page moves while it loads and a reader scrolls through its first screens: the sum of all layout shifts.
 * The usual score (CLS) counts the worst five seconds alone.
 */
async function layoutShiftOf(page: Page, id: string): Promise<number> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${home}iframe.html?viewMode=docs&id=${id}`)
  await page.locator('#storybook-docs h1').first().waitFor()
  const settled = () =>
    page.waitForFunction(
      () => !document.querySelector(':is(.sb-story, .anatomy-picture):not([data-settled], :has(iframe))'),
    )
  await settled()
  return page.evaluate(async () => {
    for (let top = 0; top < 4_800; top += 600) {
      scrollTo(0, top)
      // Two animation frames: one with the new layout, and one after which the browser has reported its shifts.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    const shifts: number[] = Reflect.get(globalThis, 'shifts')
    return shifts.reduce((total, shift) => total + shift, 0)
  })
}
