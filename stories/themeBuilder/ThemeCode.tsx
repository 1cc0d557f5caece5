import { type ReactElement, useState } from 'react'

/** The styles of the theme, and a button that copies them. */
export function ThemeCode({ css }: { readonly css: string }): ReactElement {
  const [copied, setCopied] = useState<{ readonly css: string; readonly isDone: boolean }>()
  const isCurrent = copied?.css === css

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(`${css}\n`)
      setCopied({ css, isDone: true })
    } catch {
      setCopied({ css, isDone: false })
    }
  }

  return (
    <div className="theme-part">
      <h2 id="theme-css">CSS</h2>
      <p>
        Add it to your styles, and the class <code>petstore-theme</code> to <code>&lt;html&gt;</code> or to any element
        around the components.
      </p>
      <p className="theme-copy">
        <button type="button" className="petstore-button petstore-button-primary" onClick={() => void copy()}>
          Copy CSS
        </button>
        <output>
          {isCurrent && (copied.isDone ? 'Copied' : 'The browser refused. Select the text below and copy it.')}
        </output>
      </p>
      {/* Long lines scroll, also with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="theme-code" aria-labelledby="theme-css" tabIndex={0}>
        <pre dir="ltr">{css}</pre>
      </section>
    </div>
  )
}
