import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { ContrastTable, type Ratios } from './ContrastTable.tsx'
import { looks } from './looks.ts'
import { measureContrast } from './measureContrast.ts'
import { StateGallery } from './StateGallery.tsx'
import { defaultTheme, type Theme } from './theme.ts'
import { readAddress, writeAddress } from './themeAddress.ts'
import './ThemeBuilder.css'
import { fixAll, fixContrast } from './themeColors.ts'
import { ThemeCode } from './ThemeCode.tsx'
import { ThemeControls } from './ThemeControls.tsx'
import { themeCss } from './themeExports.ts'
import { ThemePreview } from './ThemePreview.tsx'
import { usePageContrast } from './usePageContrast.ts'

/** The ratios, and what they depend on. */
interface Measured {
  readonly css: string
  readonly contrast: 'usual' | 'more'
  readonly ratios: Ratios
}

/**
 * Makes a theme: choose colors, text, shapes and density, see every component in its states with the contrast of the
 * colors, and copy the CSS. The theme is in the address of the page.
 */
export function ThemeBuilder({ initialTheme }: { readonly initialTheme?: Partial<Theme> }): ReactElement {
  const [theme, setTheme] = useState<Theme>(() => ({ ...defaultTheme, ...initialTheme, ...readAddress() }))
  const css = themeCss(theme)
  const probes = useRef<(HTMLElement | null)[]>([])
  const contrast = usePageContrast()
  const [measured, setMeasured] = useState<Measured>()

  useLayoutEffect(() => {
    setMeasured({ css, contrast, ratios: probes.current.map((probe) => (probe ? measureContrast(probe) : [])) })
  }, [css, contrast])

  function change(next: Theme): void {
    setTheme(next)
    writeAddress(next)
  }

  return (
    <div className="theme-builder">
      {/* The very text that is copied. */}
      <style>{css}</style>
      <div className="theme-studio">
        <ThemeControls theme={theme} onChange={change} />
        <div className="theme-results">
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
          {measured && (
            <ContrastTable
              ratios={measured.ratios}
              {...(theme.source === 'own' && {
                onFix: (pair, look) => change(fixContrast(theme, pair, look) ?? theme),
                onFixAll: () => change(fixAll(theme)),
              })}
            />
          )}
          <StateGallery source={theme.source} />
          <ThemeCode theme={theme} />
        </div>
      </div>
    </div>
  )
}
