import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import unlayered from '../../src/styles.css?inline'
import { loadStyles, renderSpecimens } from './specimens.setup.tsx'

beforeEach(() => page.viewport(1280, 900))
afterEach(() => page.viewport(414, 896))

const shown = [
  'more rows than are shown',
  'rows that load',
  'an empty form',
  'an empty composer',
  'a full badge',
  'a compact badge',
  'a failure',
  'the manager',
]

test.each([
  ['flex', { display: 'flex' }],
  ['a centered grid', { display: 'grid', placeItems: 'center' }],
  ['fit-content', { inlineSize: 'fit-content' }],
  ['absolute', { position: 'absolute' }],
  ['float', { float: 'inline-start' }],
  ['inline-block', { display: 'inline-block' }],
] as const)('in a parent that is %s, no component collapses or runs out of its box', async (_, style) => {
  onTestFinished((await loadStyles())())
  for (const box of await renderSpecimens({ ...style, maxInlineSize: '100%' }, shown)) {
    const root = box.firstElementChild
    const { width = 0, right = 0 } = root?.getBoundingClientRect() ?? {}
    const name = box.dataset['specimen']
    expect([name, width]).toEqual([name, Math.max(width, name === 'a compact badge' ? 24 : 200)])
    const outside = [...(root?.querySelectorAll('*:not(.petstore-visually-hidden)') ?? [])].filter(
      (element) => element.getBoundingClientRect().right > right + 1,
    )
    expect([name, outside]).toEqual([name, []])
  }
})

test.each([
  [1000, [400, 572]],
  [704, [282, 394]],
  [703, [703, 703]],
  [240, [240, 240]],
])('in %i px the columns of the manager have %j px', async (width, columns) => {
  onTestFinished((await loadStyles())())
  const [box] = await renderSpecimens({ inlineSize: `${width}px` }, ['the manager'])
  const elements = [...(box?.querySelectorAll('.petstore-category-manager-column') ?? [])]
  expect(elements.map((element) => Math.round(element.getBoundingClientRect().width))).toEqual(columns)
})

test.each([
  ['a mouse', unlayered, '14px'],
  // Instead of an emulated touch screen, which would leave the other test files without a mouse.
  ['a finger', unlayered.replaceAll('(pointer: coarse)', 'all'), '16px'],
])('in compact density, the text of fields under %s', async (_, styles, size) => {
  onTestFinished((await loadStyles({ title: 'Compact', own: styles }))())
  document.documentElement.dataset['petstoreDensity'] = 'compact'
  onTestFinished(() => {
    delete document.documentElement.dataset['petstoreDensity']
  })
  await renderSpecimens({ fontSize: '16px' }, ['more rows than are shown', 'an empty form', 'an empty composer'])
  const fields = [...document.querySelectorAll('.petstore-input')]
  expect(new Set(fields.map((field) => getComputedStyle(field).fontSize))).toEqual(new Set([size]))
})
