import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrastRatio } from '../../stories/docs/readTokens.ts'
import { defaultTheme, themeCss } from '../../stories/themeBuilder/theme.ts'

describe('the CSS of an own theme', () => {
  test('has the values, and a stronger accent in high contrast', () => {
    const accent = { light: '#ffb300', dark: '#e3a6ff' }
    expect(themeCss({ source: 'own', accent, radius: 0.25, density: 'compact', font: 'mono' })).toBe(`.petstore-theme {
  --petstore-accent: light-dark(#ffb300, #e3a6ff);
  --petstore-on-accent: light-dark(#000000, #000000);
  --petstore-radius: 0.25em;
  --petstore-space: 0.75em;
  --petstore-row-space: 0.4375em;
  --petstore-control-height: 1.875em;
  font-family: ui-monospace, Menlo, Consolas, monospace;
}

/* High contrast, by an attribute or by the system. */

.petstore-theme[data-petstore-contrast="more"],
[data-petstore-contrast="more"] .petstore-theme,
.petstore-theme [data-petstore-contrast="more"] {
  --petstore-accent: light-dark(#735100, #e3a6ff);
  --petstore-on-accent: light-dark(#ffffff, #000000);
}

@media (prefers-contrast: more) {
  .petstore-theme {
    --petstore-accent: light-dark(#735100, #e3a6ff);
    --petstore-on-accent: light-dark(#ffffff, #000000);
  }
}`)
  })

  test('leaves the density and the font alone that the page has anyway', () => {
    expect(themeCss(defaultTheme)).not.toMatch(/font-family|--petstore-space/)
  })

  const hexDigits = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)

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
