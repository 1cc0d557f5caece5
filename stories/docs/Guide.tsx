import { AnchorMdx, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks'
import { type ComponentProps, Fragment, type ReactElement, type ReactNode } from 'react'
import { tokenSets } from '../themeBuilder/theme.ts'
import { createSlugger, playgroundAddress, playgroundText } from './guideText.ts'
import './Guide.css'

interface GuideProps {
  /** The content of a file in `docs`. */
  readonly text: string
  /** Returns what the page shows in the place of `<!-- story: name -->`; `undefined` for an unknown name. */
  readonly show?: (name: string) => ReactNode
}

/** A file of `docs` as a page of the playground, with stories where its comments name them. */
export function Guide({ text, show }: GuideProps): ReactElement {
  const slugify = createSlugger()
  const overrides = { ...HeadersMdx, a: GuideLink, code: GuideCode, table: GuideTable }
  const pieces = playgroundText(text).split(/^<!-- story: (.+?) -->$/m)
  return (
    <>
      {pieces.map((piece, index) => {
        if (index % 2 === 1) return <Fragment key={index}>{show?.(piece) ?? missing(piece)}</Fragment>
        return (
          piece.trim() && (
            <Markdown key={index} options={{ overrides, slugify }}>
              {piece}
            </Markdown>
          )
        )
      })}
    </>
  )
}

function missing(name: string): never {
  throw new Error(`The page has no story ${name}.`)
}

const GuideLink = ({ href = '', children }: ComponentProps<'a'>): ReactElement => (
  <AnchorMdx href={playgroundAddress(href)} target="_self">
    {children}
  </AnchorMdx>
)

/** A table that scrolls where it is wider than the page. */
const GuideTable = ({ children }: ComponentProps<'table'>): ReactElement => (
  // What scrolls needs the focus for the keyboard to scroll it.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <section className="guide-table" aria-label="Table" tabIndex={0}>
    <table>{children}</table>
  </section>
)

/** Code, with a swatch before a color, a corner before a radius, and a bar before a length. */
const GuideCode = (props: ComponentProps<typeof CodeOrSourceMdx>): ReactElement => {
  const text = typeof props.children === 'string' ? props.children : ''
  const radius = text.startsWith('--petstore-') && text.endsWith('radius') && tokenSets.usual.get(text.slice(11))
  const isLength = /^[\d.]+em$/.test(text)
  return (
    <>
      {/^#[0-9a-f]{6}$/.test(text) && <span className="guide-swatch" style={{ background: text }} />}
      {radius && <span className="guide-swatch guide-shape" style={{ borderStartStartRadius: radius }} />}
      {isLength && <span className="guide-swatch guide-length" style={{ inlineSize: text }} />}
      <CodeOrSourceMdx {...props} />
    </>
  )
}
