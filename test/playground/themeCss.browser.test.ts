import * as fc from 'fast-check'
import { compile } from 'tailwindcss'
import tailwindStyles from 'tailwindcss/index.css?raw'
import { describe, expect, test } from 'vitest'
import { contrastRatio } from '../../stories/docs/readTokens.ts'
import { contrastPairs, looks, minRatio } from '../../stories/themeBuilder/contrastPairs.ts'
import { contrastOf, fixAll, fixContrast } from '../../stories/themeBuilder/fixContrast.ts'
import { hostVariables, mappings, usedVariables } from '../../stories/themeBuilder/hostVariables.ts'
import { completeTheme, defaultTheme, neutrals, type Theme } from '../../stories/themeBuilder/theme.ts'
import { themeColors } from '../../stories/themeBuilder/themeColors.ts'
import { themeCss, themeTokens } from '../../stories/themeBuilder/themeExports.ts'
import { measuredRatio, openThemedPage } from './themedPage.ts'

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
const colors = fc.record({ light: color, dark: color })

describe('the CSS of a theme with chosen colors', () => {
  test('has the values, and a stronger accent in high contrast', () => {
    const accent = { light: '#ffb300', dark: '#e3a6ff' }
    expect(themeCss({ ...defaultTheme, accent, radius: 0.25, density: 'compact' })).toBe(`.petstore-theme {
  --petstore-radius: 0.25em;
  --petstore-space: 0.875em;
  --petstore-row-space: 0.5em;
  --petstore-control-height: 2.125em;
}

.petstore-theme :is(.petstore-category-form, .petstore-category-list, .petstore-category-manager, .petstore-error-notice, .petstore-message-composer, .petstore-rate-limit-badge):not(:is(.petstore-category-form, .petstore-category-list, .petstore-category-manager) *) {
  font-size: 0.875em;
}

@media not (prefers-contrast: more) {
  .petstore-theme:not([data-petstore-contrast="more"], [data-petstore-contrast="more"] *) {
    --petstore-accent: light-dark(#ffb300, #e3a6ff);
    --petstore-accent-text: light-dark(#8d6b18, #e3a6ff);
    --petstore-on-accent: light-dark(#000000, #000000);
    --petstore-accent-hover: light-dark(#ffc640, #eabcff);
  }
}

/* High contrast, by an attribute or by the system: wherever the rule above does not apply. */

.petstore-theme,
.petstore-theme [data-petstore-contrast="more"] {
  --petstore-accent: light-dark(#735100, #e3a6ff);
  --petstore-accent-text: light-dark(#735100, #e3a6ff);
  --petstore-on-accent: light-dark(#ffffff, #000000);
  --petstore-accent-hover: light-dark(#563d00, #eabcff);
}`)
  })

  test.each(['compact', 'spacious'] as const)('the density %s gives the same sizes as the attribute', (density) => {
    const [look] = looks
    if (!look) throw new Error('There is no look.')
    const themed = openThemedPage(themeCss({ ...defaultTheme, density }), look)
    const attributed = openThemedPage('', look)
    attributed.dataset['petstoreDensity'] = density
    const sizes = [themed, attributed].map((page) =>
      [...page.querySelectorAll('*')].map((element) => {
        const { fontSize, padding, minBlockSize } = getComputedStyle(element)
        return [element.className, fontSize, padding, minBlockSize]
      }),
    )
    expect(sizes[0]).toEqual(sizes[1])
  })

  test('sets nothing for the default theme', () => {
    expect(themeCss(defaultTheme)).toBe('/* The default theme: nothing to set. */')
  })

  test('any accent: its text can be read, the hover moves away from it, and high contrast has 7 : 1', () => {
    fc.assert(
      fc.property(colors, (accent) => {
        const ratios = ([token, surface]: readonly [string, string], isHighContrast: boolean) => {
          const themed = themeColors({ ...defaultTheme, accent }, isHighContrast)
          const surfaceOfKit = { light: '#ffffff', dark: isHighContrast ? '#000000' : '#181d26' }
          return (['light', 'dark'] as const).map((scheme) =>
            contrastRatio(themed.get(token)?.[scheme] ?? '', (themed.get(surface) ?? surfaceOfKit)[scheme]),
          )
        }
        const [onAccent, onHover] = [
          ratios(['on-accent', 'accent'], false),
          ratios(['on-accent', 'accent-hover'], false),
        ]
        for (const [index, ratio] of onAccent.entries()) {
          expect(ratio).toBeGreaterThanOrEqual(4.5)
          expect(onHover[index]).toBeGreaterThanOrEqual(Math.min(10, ratio))
        }
        for (const ratio of ratios(['accent-text', 'surface'], false)) expect(ratio).toBeGreaterThanOrEqual(4.5)
        for (const pair of [
          ['on-accent', 'accent'],
          ['accent', 'surface'],
        ] as const) {
          expect(Math.min(...ratios(pair, true))).toBeGreaterThanOrEqual(7)
        }
      }),
    )
  })

  test('white text goes before black where it can be read, although black has a little more contrast', () => {
    const accent = { light: '#da0173', dark: '#ff7ab8' }
    expect(themeColors({ ...defaultTheme, accent }, false).get('on-accent')).toEqual({
      light: '#ffffff',
      dark: '#000000',
    })
  })
})

describe('contrast', () => {
  test('a brand’s color stays, however faint it is', () => {
    const accent = { light: '#ffe100', dark: '#ffe100' }
    expect(contrastOf({ ...defaultTheme, accent }).failures()).toBe(0)
    expect(themeColors({ ...defaultTheme, accent }, false).get('accent')).toEqual(accent)
  })

  test.each(Object.keys(neutrals) as Theme['neutral'][])('the neutrals %s need no fix', (neutral) => {
    expect(contrastOf({ ...defaultTheme, neutral }).failures()).toBe(0)
  })

  test('a fix changes the color that fails, in the scheme where it fails', () => {
    const [light] = looks
    const pair = contrastPairs.find(({ token, surface }) => token === 'warning' && surface === 'surface')
    if (!light || !pair) throw new Error('There is nothing to fix.')
    const yellow: Theme = { ...defaultTheme, warning: { light: '#ffb300', dark: '#ffb300' } }
    expect(contrastOf(yellow).isTooLow(pair, light)).toBe(true)
    const fixed = fixContrast(yellow, pair, light)
    expect(fixed).toEqual({ ...yellow, warning: { ...yellow.warning, light: fixed.warning.light } })
    expect(contrastOf(fixed).isTooLow(pair, light)).toBe(false)
  })

  test('any colors: after “Fix all”, no ratio fails', () => {
    fc.assert(
      fc.property(colors, colors, colors, colors, (accent, danger, warning, success) => {
        const fixed = fixAll({ ...defaultTheme, accent, danger, warning, success })
        expect(contrastOf(fixed).failures()).toBe(0)
      }),
      { numRuns: 10 },
    )
  })

  test.each(looks)('$title: the computed ratios are those that the browser shows', (look) => {
    const theme = completeTheme({ accent: { light: '#7a1fa2', dark: '#e3a6ff' }, neutral: 'warm' })
    const page = openThemedPage(themeCss(theme), look)
    const { ratio } = contrastOf(theme)
    // Browsers may round a mixed color the other way.
    for (const pair of contrastPairs) expect(measuredRatio(page, pair) / ratio(pair, look)).toBeCloseTo(1, 1)
  })

  test.each((['shadcn', 'tailwind'] as const).flatMap((source) => looks.map((look) => ({ source, look }))))(
    '$source, $look.title: is enough with the variables of its default theme',
    ({ source, look }) => {
      const page = openThemedPage(themeCss({ ...defaultTheme, source }), look, hostVariables[source])
      const failing = contrastPairs.filter(
        (pair) => !(measuredRatio(page, pair) >= minRatio(pair, look.isHighContrast)),
      )
      expect(failing).toEqual([])
    },
  )
})

test('colors and radii from the address that are invalid become those of the default theme', () => {
  const dark = '#ffaaaa'
  expect(completeTheme({ accent: { light: 'red', dark }, danger: { light: '#aa0000', dark }, radius: 99 })).toEqual({
    ...defaultTheme,
    danger: { light: '#aa0000', dark },
  })
})

test('tokens.json has the colors of the theme in each look', () => {
  const accent = { light: '#e6007a', dark: '#ff7ab8' }
  const theme: Theme = { ...defaultTheme, accent, density: 'spacious', radius: 0 }
  expect(JSON.parse(themeTokens(theme))).toMatchObject({
    light: { accent: { $type: 'color', $value: { hex: '#e6007a' } } },
    dark: { accent: { $value: { hex: '#ff7ab8' } } },
    'high-contrast-light': { accent: { $value: { hex: themeColors(theme, true).get('accent')?.light } } },
    size: { space: { $value: { value: 1.375, unit: 'rem' } }, 'control-radius': { $value: { value: 0 } } },
  })
})

test('Tailwind compiles the CSS, and writes each variable that the mapping uses', async () => {
  const compiler = await compile(`@import 'tailwindcss';\n${themeCss({ ...defaultTheme, source: 'tailwind' })}`, {
    loadStylesheet: async (id) => ({ path: id, base: '', content: tailwindStyles }),
  })
  const output = compiler.build([])
  const used = usedVariables('tailwind')
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !output.includes(`${name}: `))).toEqual([])
  expect(output).toContain(`--petstore-accent: ${mappings.tailwind.colors['--petstore-accent']};`)
})

test('the default theme of shadcn/ui has a value for each variable that the mapping uses, and no other', () => {
  expect(Object.keys(hostVariables.shadcn).toSorted()).toEqual(usedVariables('shadcn').toSorted())
})
