import { afterAll, beforeAll, expect, test } from 'vitest'
import { home, layoutShiftOf, startBrowser } from './playground.setup.ts'

/*
 * Opens the docs pages, which takes minutes. `docsPages.page.test.ts` has some of them daily.
 */

const { context } = startBrowser()
const found: string[] = []

let ids: readonly string[] = []

beforeAll(async () => {
  const { entries } = (await (await fetch(`${home}index.json`)).json()) as {
    readonly entries: Readonly<Record<string, { readonly id: string; readonly type: string }>>
  }
  // A page of all states takes longer than a minute to show the last of them.
  ids = Object.values(entries).flatMap(({ id, type }) => (type === 'docs' && !id.endsWith('all-states') ? [id] : []))
}, 300_000)

afterAll(() => console.log(found.join('\n')))

test('nothing of any docs page moves while its stories load', { timeout: 900_000 }, async () => {
  const moved: string[] = []
  for (const id of ids) {
    const page = await context().newPage()
    const shift = await layoutShiftOf(page, id)
    found.push(`${id}: ${shift.toFixed(4)}`)
    if (shift > 0.01) moved.push(`${id}: ${shift.toFixed(4)}`)
    await page.close()
  }
  expect(ids.length).toBeGreaterThan(20)
  expect(moved).toEqual([])
})
