// @vitest-environment node
import { type Rule, type Selector, type SelectorComponent, transform } from 'lightningcss'
import { expect, test } from 'vitest'
import { buildStyles } from '../../buildStyles.ts'

/** Ids, then classes with attributes and pseudo-classes, then elements with pseudo-elements. */
type Specificity = readonly [ids: number, classes: number, elements: number]

const byWeight = (one: Specificity, other: Specificity) => other[0] - one[0] || other[1] - one[1] || other[2] - one[2]

const highest = (selectors: readonly Selector[]): Specificity =>
  selectors.map(specificityOf).toSorted(byWeight)[0] ?? [0, 0, 0]

/** Selectors 4, "Calculating a selector's specificity". */
function specificityOf(selector: Selector): Specificity {
  const parts = selector.map(specificityOfPart)
  const sum = (index: 0 | 1 | 2) => parts.reduce((total, part) => total + part[index], 0)
  return [sum(0), sum(1), sum(2)]
}

function specificityOfPart(part: SelectorComponent): Specificity {
  switch (part.type) {
    case 'id':
      return [1, 0, 0]
    case 'class':
    case 'attribute':
      return [0, 1, 0]
    case 'type':
    case 'pseudo-element':
      return [0, 0, 1]
    case 'pseudo-class':
      if (part.kind === 'where') return [0, 0, 0]
      if (part.kind === 'is' || part.kind === 'not') return highest(part.selectors)
      if (part.kind === 'has' || 'of' in part || (part.kind === 'host' && part.selectors))
        throw new Error(`The weight of :${part.kind} is not known here.`)
      return [0, 1, 0]
    case 'combinator':
    case 'universal':
      return [0, 0, 0]
    case 'namespace':
    case 'nesting':
    default:
      throw new Error(`The weight of ${part.type} is not known here.`)
  }
}

interface Found {
  /** As JSON from lightningcss, which gives no text of a single selector. */
  readonly selector: string
  readonly specificity: Specificity
  readonly hasPseudoElement: boolean
  readonly layers: readonly string[]
}

function selectorsOf(css: string): readonly Found[] {
  const found: Found[] = []
  function read(rules: readonly Rule[], layers: readonly string[]): void {
    for (const { type, value } of rules.filter((rule) => rule.type !== 'ignored')) {
      if (type === 'style') {
        expect(value.rules ?? []).toEqual([])
        for (const selector of value.selectors) {
          const hasPseudoElement = selector.some((part) => part.type === 'pseudo-element')
          const specificity = specificityOf(selector)
          found.push({ selector: JSON.stringify(selector), specificity, hasPseudoElement, layers })
        }
      } else if (type === 'layer-block') read(value.rules, [...layers, (value.name ?? []).join('.')])
      else if (type === 'media' || type === 'supports' || type === 'container') read(value.rules, layers)
      else if (type !== 'keyframes') throw new Error(`A rule of the type ${type} is not known here.`)
    }
  }
  transform({
    filename: 'styles.css',
    code: new TextEncoder().encode(css),
    visitor: { StyleSheet: ({ rules }) => read(rules, []) },
  })
  return found
}

const styles = selectorsOf(buildStyles('src/styles.css'))
const devtools = selectorsOf(buildStyles('src/devtools.css'))
const layered = selectorsOf(buildStyles('src/styles.layer.css'))

test.each([
  ['styles.css', styles, 1, 80],
  ['devtools.css', devtools, 1, 30],
  ['styles.layer.css', layered, 0, 80],
] as const)(
  '%s: every selector has the specificity of one class, or of none in the layer',
  (_, found, classes, minCount) => {
    expect(found.length).toBeGreaterThan(minCount)
    const others = found.filter(({ specificity: [ids, ofClasses, elements], hasPseudoElement }) => {
      return ids !== 0 || ofClasses !== classes || elements !== Number(hasPseudoElement)
    })
    expect(others).toEqual([])
  },
)

test('styles.css: only what every rule of an app has to beat is in a layer; in devtools.css nothing is', () => {
  const inLayers = [...styles, ...devtools].filter(({ layers }) => layers.length > 0)
  expect(inLayers.map(({ selector }) => JSON.parse(selector))).toMatchObject([[{ kind: 'root' }], [{ kind: 'host' }]])
})

test('styles.layer.css: everything is in the layer', () => {
  expect(layered.filter(({ layers }) => layers[0] !== 'petstore')).toEqual([])
})

test('styles.css and styles.layer.css have the same declarations', () => {
  const declarations = (name: string) => buildStyles(`src/${name}`).match(/[\w-]+:[^{};]+(?=[;}])/g)
  expect(declarations('styles.css')?.length).toBeGreaterThan(200)
  expect(declarations('styles.layer.css')).toEqual(declarations('styles.css'))
})

test.each([
  ['.a', [0, 1, 0]],
  ['.a:where(:hover)', [0, 1, 0]],
  ['.a:hover', [0, 2, 0]],
  [':where(.a) > :not([class], :where(svg *))', [0, 1, 0]],
  ['input.a:is(#b, .c)::before', [1, 1, 2]],
  ['.a:not([b]:is(c d, d))', [0, 2, 2]],
])('the weight of %s is %j', (selector, specificity) => {
  expect(selectorsOf(`${selector}{color:red}`).map((one) => one.specificity)).toEqual([specificity])
})
