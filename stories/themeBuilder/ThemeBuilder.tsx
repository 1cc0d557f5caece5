import { type ReactElement, useState } from 'react'
import { ContrastList } from './ContrastList.tsx'
import { looks } from './contrastPairs.ts'
import { contrastOf } from './fixContrast.ts'
import { completeTheme, sources, type Theme } from './theme.ts'
import './ThemeBuilder.css'
import { ThemeActions, ThemeControls } from './ThemeControls.tsx'
import { themeCss } from './themeExports.ts'
import { ThemePreview } from './ThemePreview.tsx'

interface ThemeBuilderProps extends Partial<Theme> {
  /** Called when someone changes the theme. */
  readonly onChange?: (theme: Theme) => void
}

/** Makes a theme: choose colors and shapes, see the components in four looks with the contrast of the colors, copy the CSS. */
export function ThemeBuilder({ onChange, ...initialTheme }: ThemeBuilderProps): ReactElement {
  const [theme, setTheme] = useState(() => completeTheme(initialTheme))
  const css = themeCss(theme)

  function change(next: Theme): void {
    setTheme(next)
    onChange?.(next)
  }

  return (
    <div className="theme-builder">
      {/* The very text that is copied. */}
      <style>{css}</style>
      <div className="theme-studio">
        <ThemeControls theme={theme} onChange={change} />
        <div className="theme-results">
          {theme.source !== 'own' && (
            <p>
              {sources[theme.source]}: with its default theme, each pair of colors has enough contrast in each look.
              Yours may differ, so look at it in your app.
            </p>
          )}
          {theme.source === 'own' && contrastOf(theme).failures() > 0 && (
            <div className="theme-part">
              <h2>Too little contrast</h2>
              <ContrastList theme={theme} onFix={change} />
            </div>
          )}
          <div className="theme-previews">
            {looks.map((look) => (
              <ThemePreview key={look.title} look={look} theme={theme} />
            ))}
          </div>
          <div className="theme-part">
            <h2>CSS</h2>
            <p>
              Add it to your styles, and the class <code>petstore-theme</code> to <code>&lt;html&gt;</code> or to any
              element around the components.
            </p>
            {/* A long theme scrolls, also with the keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <section className="theme-code" aria-label="CSS" tabIndex={0}>
              <pre dir="ltr">{css}</pre>
            </section>
          </div>
        </div>
      </div>
      <ThemeActions theme={theme} onChange={change} />
    </div>
  )
}
