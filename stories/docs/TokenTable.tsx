import type { ReactElement } from 'react'
import css from '../../src/components/tokens.css?raw'
import { colourOf, contrastRatio, readTokens, type Scheme, type Tokens } from './readTokens.ts'
import './Reference.css'

const base = new Map([
  ...readTokens(css, ':where(:root:not([data-petstore-contrast="more"]), :host)'),
  ...readTokens(css, ':where(:root, :host)'),
])
const moreContrast = new Map([...base, ...readTokens(css, ':where(:root, :host, [data-petstore-contrast="more"])')])

const themes: readonly (readonly [title: string, tokens: Tokens, scheme: Scheme])[] = [
  ['Light', base, 'light'],
  ['Dark', base, 'dark'],
  ['High contrast, light', moreContrast, 'light'],
  ['High contrast, dark', moreContrast, 'dark'],
]

/** Every colour in every theme, and how it stands out from the surface; read from the styles themselves. */
export function ColourTokens(): ReactElement {
  const names = [...base.keys()].filter((name) => colourOf(base.get(name) ?? '', 'light'))
  return (
    <table className="reference">
      <thead>
        <tr>
          <th scope="col">Token</th>
          {themes.map(([title]) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{`--petstore-${name}`}</code>
            </th>
            {themes.map(([title, tokens, scheme]) => (
              <td key={title}>
                <Swatch colour={colourOf(tokens.get(name) ?? '', scheme) ?? ''} surface={surfaceOf(tokens, scheme)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const surfaceOf = (tokens: Tokens, scheme: Scheme) => colourOf(tokens.get('surface') ?? '', scheme) ?? ''

function Swatch({ colour, surface }: { colour: string; surface: string }): ReactElement {
  return (
    <>
      <span className="reference-swatch" style={{ background: colour }} />
      <code>{colour}</code>
      <span className="reference-note">{`${contrastRatio(colour, surface).toFixed(1)} : 1 on the surface`}</span>
    </>
  )
}

/** Every token that is no colour, with what the densities make of it. */
export function OtherTokens(): ReactElement {
  const compact = readTokens(css, ':where([data-petstore-density="compact"])')
  const spacious = readTokens(css, ':where([data-petstore-density="spacious"])')
  const names = [...base.keys()].filter((name) => !colourOf(base.get(name) ?? '', 'light'))
  return (
    <table className="reference">
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Value</th>
          <th scope="col">Compact</th>
          <th scope="col">Spacious</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{`--petstore-${name}`}</code>
            </th>
            {[base, compact, spacious].map((tokens, index) => (
              <td key={index}>
                <code>{tokens.get(name)}</code>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
