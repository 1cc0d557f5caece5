import { type ReactElement, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { keysOf, type Theme } from './theme.ts'
import { tailwindCss, themeCss, themeTokens } from './themeExports.ts'

const formats = {
  css: { title: 'CSS', write: themeCss },
  tokens: { title: 'tokens.json', write: themeTokens },
  tailwind: { title: 'Tailwind', write: tailwindCss },
} as const

/** The theme as text in one of three formats, and a button that copies it. */
export function ThemeCode({ theme }: { readonly theme: Theme }): ReactElement {
  const [chosen, setChosen] = useState<keyof typeof formats>('css')
  // Where the variables of an app decide, no color has a value to write down.
  const names = keysOf(formats).filter((name) => name !== 'tokens' || theme.source === 'own')
  const name = names.includes(chosen) ? chosen : 'css'
  const { title, write } = formats[name]
  const text = write(theme)
  return (
    <div className="theme-part">
      <h2 id="theme-code">Take it along</h2>
      <fieldset className="theme-formats" aria-label="Format">
        {names.map((format) => (
          <button
            key={format}
            type="button"
            className="petstore-button"
            aria-pressed={format === name}
            onClick={() => setChosen(format)}
          >
            {formats[format].title}
          </button>
        ))}
        <CopyButton isPrimary text={() => `${text}\n`}>
          {`Copy ${title}`}
        </CopyButton>
      </fieldset>
      <p>
        {name === 'tokens' ? (
          'The W3C Design Tokens format: a palette, and what the components use as aliases of it.'
        ) : (
          <>
            Add it to your styles, and the class <code>petstore-theme</code> to <code>&lt;html&gt;</code> or to any
            element around the components.
            {name === 'tailwind' && (
              <>
                {' '}
                Utilities such as <code>bg-petstore-accent</code> then use the same colors.
              </>
            )}
          </>
        )}
      </p>
      {/* Long lines scroll, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="theme-code" aria-label={title} tabIndex={0}>
        <pre dir="ltr">{text}</pre>
      </section>
    </div>
  )
}
