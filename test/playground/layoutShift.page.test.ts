import { expect, test } from 'vitest'
import { home, layoutShiftOf, startBrowser } from './playground.setup.ts'

const { context } = startBrowser()

test.each([
  ['a laptop', 1280],
  ['a phone', 390],
])('nothing of any docs page moves while it loads, on %s', { timeout: 900_000 }, async (_, width) => {
  const { entries } = (await (await fetch(`${home}index.json`)).json()) as {
    readonly entries: Readonly<Record<string, { readonly id: string; readonly type: string }>>
  }
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
