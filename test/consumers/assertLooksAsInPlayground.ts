import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'

const properties = [
  'color',
  'background-color',
  'border-top-color',
  'font-size',
  'font-weight',
  'line-height',
  'text-align',
]
/** In CSS pixels. */
const edges = ['x', 'y', 'width', 'height'] as const

/** Boxes from the corner of their component, and computed values. What depends on the moment, as a countdown, stays off. */
const measure = (page: Page) =>
  page.evaluate(
    ([names, sides]) => {
      const components = document.querySelectorAll('.petstore-category-manager, .petstore-message-composer')
      return [...components].flatMap((component) => {
        const corner = component.getBoundingClientRect()
        return [component, ...component.querySelectorAll('*')].map((element) => {
          const box = element.getBoundingClientRect()
          const style = getComputedStyle(element)
          return {
            name: `${element.localName}.${element.getAttribute('class')}`,
            box: sides.map((side) => box[side] - (side === 'x' ? corner.x : side === 'y' ? corner.y : 0)),
            style: names.map((name) => `${name}: ${style.getPropertyValue(name)}`),
          }
        })
      })
    },
    [properties, edges] as const,
  )

/**
 * The components of a page look as they do with no styles but ours, as in the playground: each box within a pixel, each
 * color and text size the same. The page keeps its width and font, which are its own.
 */
export async function assertLooksAsInPlayground(page: Page, settled: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' }) // No color is measured on its way to another one.
  await page.goto(page.url())
  await settled()
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.body).marginTop),
    '0px',
    'The styles of the app are missing.',
  )
  const inApp = await measure(page)
  await page.route('**/*.css*', (route) =>
    route.fulfill({
      contentType: 'text/css',
      body: `${readFileSync('dist/styles.css', 'utf8')} body { margin: 0; color: #171717; font-family: Arial, Helvetica, sans-serif }`,
    }),
  )
  await page.goto(page.url())
  await settled()
  const inPlayground = await measure(page)
  await page.unroute('**/*.css*')
  assert(inPlayground.length > 40, 'There are no components.')
  assert.equal(inApp.length, inPlayground.length, 'The page differs in its elements.')
  for (const [index, { name, box, style }] of inPlayground.entries()) {
    const { box: otherBox, style: otherStyle } = inApp[index] ?? { box: [], style: [] }
    const isSame = box.every((edge, side) => Math.abs(edge - (otherBox[side] ?? NaN)) <= 1)
    assert(isSame, `The box of ${name} is ${otherBox.join()} in the app, not ${box.join()}.`)
    assert.deepEqual(otherStyle, style, `The app changes ${name}.`)
  }
}
