import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile } from 'tailwindcss'
import tailwindStyles from 'tailwindcss/index.css?raw'
import { contrastRatio } from '../../stories/docs/readTokens.ts'
import { contrastPairs } from '../../stories/themeBuilder/contrastPairs.ts'
import { looks } from '../../stories/themeBuilder/looks.ts'
import {
  defaultTheme,
  keysOf,
  neutrals,
  readTheme,
  type Theme,
  textChoices,
  writeTheme,
} from '../../stories/themeBuilder/theme.ts'
import { failures, fixAll, fixContrast, themeColors } from '../../stories/themeBuilder/themeColors.ts'
import { tailwindCss, themeCss, themeTokens } from '../../stories/themeBuilder/themeExports.ts'

const hexDigits = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)

describe('the CSS of an own theme', () => {
  test('has the values, and a stronger accent in high contrast', () => {
    const accent = { light: '#ffb300', dark: '#e3a6ff' }
    expect(
      themeCss({ ...defaultTheme, accent, radius: 0.25, density: 'compact', font: 'mono' }),
    ).toBe(`.petstore-theme {
  --petstore-accent: light-dark(#ffb300, #e3a6ff);
  --petstore-on-accent: light-dark(#000000, #000000);
  --petstore-accent-hover: light-dark(#ffc640, #e4b8fc);
  --petstore-radius: 0.25em;
  --petstore-space: 0.875em;
  --petstore-row-space: 0.5em;
  --petstore-control-height: 2.125em;
  font-family: ui-monospace, Menlo, Consolas, monospace;
}

/* High contrast, by an attribute or by the system. */

.petstore-theme[data-petstore-contrast="more"],
[data-petstore-contrast="more"] .petstore-theme,
.petstore-theme [data-petstore-contrast="more"] {
  --petstore-accent: light-dark(#735100, #e3a6ff);
  --petstore-on-accent: light-dark(#ffffff, #000000);
  --petstore-accent-hover: light-dark(#563d00, #eabcff);
}

@media (prefers-contrast: more) {
  .petstore-theme {
    --petstore-accent: light-dark(#735100, #e3a6ff);
    --petstore-on-accent: light-dark(#ffffff, #000000);
    --petstore-accent-hover: light-dark(#563d00, #eabcff);
  }
}`)
  })

  test('leaves the density and the font alone that the page has anyway', () => {
    expect(themeCss(defaultTheme)).not.toMatch(/font-family|--petstore-space/)
  })

  test('any accent: its text can be read, and high contrast has 7 : 1', () => {
    fc.assert(
      fc.property(hexDigits, hexDigits, (light, dark) => {
        const css = themeCss({ ...defaultTheme, accent: { light, dark } })
        const values = (name: string) =>
          Array.from(
            css.matchAll(new RegExp(`--petstore-${name}: light-dark\\((\\S+), (\\S+)\\);`, 'g')),
            ([, ...both]) => both,
          )
        const [[usual = [], strong = []], [onUsual = [], onStrong = []]] = [values('accent'), values('on-accent')]
        expect(usual).toEqual([light, dark])
        for (const [index, surface] of ['#ffffff', '#000000'].entries()) {
          const at = (colors: readonly string[]) => colors[index] ?? ''
          expect(contrastRatio(at(onUsual), at(usual))).toBeGreaterThanOrEqual(4.5)
          expect(contrastRatio(at(strong), surface)).toBeGreaterThanOrEqual(7)
          expect(contrastRatio(at(onStrong), at(strong))).toBeGreaterThanOrEqual(7)
        }
      }),
    )
  })
})

const brand: Theme = { ...defaultTheme, accent: { light: '#e6007a', dark: '#ff7ab8' } }

describe('the text on the accent', () => {
  test('is white where white can be read, although black has a little more contrast', () => {
    const accent = { ...brand.accent, light: '#da0173' }
    expect(themeColors({ ...brand, accent }).usual.get('on-accent')?.light).toBe('#ffffff')
    expect(themeColors({ ...brand, accent, onAccent: 'black' }).usual.get('on-accent')?.light).toBe('#000000')
  })

  test('any accent and choice: the hover moves away from the text', () => {
    const choice = fc.constantFrom(...keysOf(textChoices))
    fc.assert(
      fc.property(hexDigits, hexDigits, choice, (light, dark, onAccent) => {
        const theme = { ...defaultTheme, accent: { light, dark }, onAccent }
        const { usual } = themeColors(theme)
        const hover = usual.get('accent-hover')
        const text = usual.get('on-accent')
        if (!hover || !text) return // the styles' own hover moves away already
        for (const scheme of ['light', 'dark'] as const) {
          const ratio = contrastRatio(text[scheme], hover[scheme])
          expect(ratio).toBeGreaterThanOrEqual(Math.min(10, contrastRatio(text[scheme], theme.accent[scheme])))
        }
      }),
    )
  })
})

describe('fixing contrast', () => {
  const fails = (theme: Theme) => failures(theme).count

  test.each(keysOf(neutrals))('the neutrals %s need no fix', (neutral) => {
    expect(fails({ ...defaultTheme, neutral })).toBe(0)
  })

  test('changes the text on an accent before the accent', () => {
    const [light] = looks
    const pair = contrastPairs.find(({ token, surface }) => token === 'on-accent' && surface === 'accent')
    if (!light || !pair) throw new Error('There is nothing to fix.')
    const yellow: Theme = { ...brand, accent: { light: '#ffb300', dark: '#ffb300' }, onAccent: 'white' }
    expect(fixContrast(yellow, pair, light)).toEqual({ ...yellow, onAccent: 'automatic' })
  })

  test('any colors: nothing fails in the end', () => {
    const both = fc.record({ light: hexDigits, dark: hexDigits })
    const choice = fc.constantFrom(...keysOf(textChoices))
    fc.assert(
      fc.property(both, both, both, both, choice, (accent, danger, warning, success, onAccent) => {
        const theme: Theme = { ...defaultTheme, accent, onAccent, status: { danger, warning, success } }
        expect(fails(fixAll(theme))).toBe(0)
      }),
      { numRuns: 10 },
    )
  })
})

describe('the address', () => {
  test('has what a theme changes, and nothing else', () => {
    expect(writeTheme(defaultTheme)).toBe('')
    const theme: Theme = {
      ...brand,
      onAccent: 'white',
      neutral: 'warm',
      status: { ...brand.status, danger: { light: '#aa0000', dark: '#ffaaaa' } },
      radius: 0.25,
      density: 'compact',
      font: 'serif',
      textSize: 1.125,
    }
    const text =
      'accent:e6007a-ff7ab8_text:white_neutral:warm_danger:aa0000-ffaaaa_radius:0.25_density:compact_font:serif_size:1.125'
    expect(writeTheme(theme)).toBe(text)
    expect({ ...defaultTheme, ...readTheme(text) }).toEqual(theme)
  })

  test('brings nothing into the styles that is no value of a theme', () => {
    expect(readTheme('accent:red;}body{-000000_font:x_radius:99_size:3_density:toString_source:own_neutral:')).toEqual({
      source: 'own',
    })
  })
})

test('tokens.json: each alias names a color of the palette, and the accent is one', () => {
  const file = JSON.parse(themeTokens({ ...brand, neutral: 'warm' })) as Record<
    string,
    Record<string, { readonly $type: string; readonly $value: unknown }>
  >
  const { palette = {}, light = {} } = file
  expect(light['accent']?.$value).toBe('{palette.accent-light}')
  expect(palette['accent-light']?.$value).toMatchObject({ hex: '#e6007a' })
  const aliases = Object.values(file).flatMap((group) =>
    Object.values(group).flatMap(({ $value }) => (typeof $value === 'string' ? [$value] : [])),
  )
  expect(aliases.length).toBeGreaterThan(40)
  expect(aliases.filter((alias) => !palette[alias.slice('{palette.'.length, -1)])).toEqual([])
})

test('Tailwind makes utilities of the tokens, which follow the theme', async () => {
  const files: Readonly<Record<string, string>> = { tailwindcss: tailwindStyles, 'petstore-react/styles.layer.css': '' }
  const compiler = await compile(tailwindCss(brand), {
    loadStylesheet: async (id) => ({ path: id, base: '', content: files[id] ?? '' }),
  })
  const output = compiler.build(['bg-petstore-accent', 'text-petstore-accent-hover', 'rounded-petstore'])
  expect(output).toContain('background-color: var(--petstore-accent);')
  expect(output).toMatch(/color: var\(--petstore-accent-hover, color-mix\(/)
  expect(output).toContain('border-radius: var(--petstore-radius);')
  expect(output).toContain('--petstore-accent: light-dark(#e6007a, #ff7ab8);')
})
