import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { ContrastTable, type Ratios } from './ContrastTable.tsx'
import { looks } from './looks.ts'
import { measureContrast } from './measureContrast.ts'
import { defaultTheme, themeCss, type Theme } from './theme.ts'
import './ThemeBuilder.css'
import { ThemeCode } from './ThemeCode.tsx'
import { ThemeControls } from './ThemeControls.tsx'
import { ThemePreview } from './ThemePreview.tsx'
import { usePageContrast } from './usePageContrast.ts'

/** The ratios, and what they depend on. */
interface Measured {
  readonly css: string
  readonly contrast: 'usual' | 'more'
  readonly ratios: Ratios
}

/**
 * Makes a theme: choose colors, shapes and density, see the components in each look with the contrast of their colors,
 * and copy the CSS.
 */
export function ThemeBuilder({ initialTheme }: { readonly initialTheme?: Partial<Theme> }): ReactElement {
  const [theme, setTheme] = useState<Theme>({ ...defaultTheme, ...initialTheme })
  const css = themeCss(theme)
  const probes = useRef<(HTMLElement | null)[]>([])
  const contrast = usePageContrast()
  const [measured, setMeasured] = useState<Measured>()

  useLayoutEffect(() => {
    setMeasured({ css, contrast, ratios: probes.current.map((probe) => (probe ? measureContrast(probe) : [])) })
  }, [css, contrast])

  return (
    <div className="theme-builder">
      {/* The very text that is copied. */}
      <style>{css}</style>
      <ThemeControls theme={theme} onChange={(change) => setTheme({ ...theme, ...change })} />
      <div className="theme-previews">
        {looks.map((look, index) => (
          <ThemePreview
            key={look.title}
            look={look}
            source={theme.source}
            probeRef={(probe) => {
              probes.current[index] = probe
            }}
          />
        ))}
      </div>
      {measured && <ContrastTable ratios={measured.ratios} />}
      <ThemeCode css={css} />
    </div>
  )
}
