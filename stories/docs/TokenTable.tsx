import type { ReactElement } from 'react'
import css from '../../src/components/tokens.css?raw'
import { contrastRatio, resolveColor, type Scheme, type Tokens } from './readTokens.ts'
import { readTokenSets } from './tokenSets.ts'
import './Reference.css'

const { usual, highContrast, compact, spacious, derived } = readTokenSets(css)

/** The styles of the components, by path. */
const styles: Readonly<Record<string, string>> = import.meta.glob('../../src/components/**/*.css', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** What uses a token: components, kinds of parts that several of them share, and tokens that derive from it. */
function usersOf(token: string): readonly string[] {
  const users = Object.entries(styles).flatMap(([path, text]) => {
    if (path.endsWith('/tokens.css')) return []
    const component = /([A-Za-z]+)\.css$/.exec(path)?.[1] ?? ''
    const rules = Array.from(text.matchAll(/([^{};]+)\{([^{}]*)\}/g), ([, selector = '', body = '']) => ({
      selector,
      body,
    }))
    return rules
      .filter(({ body }) => new RegExp(`var\\(--_?petstore-${token}\\)`).test(body))
      .map(({ selector }) => (component === 'shared' ? sharedPart(selector) : component))
  })
  const dependents = [...derived].filter(([, formula]) => formula.includes(`var(--petstore-${token})`))
  return [...new Set(users.toSorted()), ...dependents.map(([name]) => `token ${name}`)]
}

const sharedPart = (selector: string) => {
  const [, name = ''] = /\.petstore-([a-z]+)/.exec(selector) ?? []
  return { button: 'Buttons', input: 'Fields', skeleton: 'Placeholders' }[name] ?? 'Labels and hints'
}

const themes: readonly (readonly [title: string, tokens: Tokens, scheme: Scheme])[] = [
  ['Light', usual, 'light'],
  ['Dark', usual, 'dark'],
  ['High contrast, light', highContrast, 'light'],
  ['High contrast, dark', highContrast, 'dark'],
]

/** Every color in every theme, and how it stands out from the surface; read from the styles themselves. */
export function ColorTokens(): ReactElement {
  const names = [...usual].flatMap(([name, value]) => (resolveColor(value, 'light', usual) ? [name] : []))
  return (
    <table className="reference">
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Used in</th>
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
            <TokenName name={name} />
            <td>{usersOf(name).join(', ')}</td>
            {themes.map(([title, tokens, scheme]) => (
              <td key={title}>
                <Swatch color={colorOf(name, tokens, scheme)} surface={colorOf('surface', tokens, scheme)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const colorOf = (name: string, tokens: Tokens, scheme: Scheme) =>
  resolveColor(tokens.get(name) ?? '', scheme, tokens) ?? ''

/** The name of a token, and what it is made of if it derives from others. */
function TokenName({ name }: { name: string }): ReactElement {
  const formula = derived.get(name)
  return (
    <th scope="row">
      <code>{`--petstore-${name}`}</code>
      {formula && <span className="reference-note">{`Until you set it: ${formula}`}</span>}
    </th>
  )
}

function Swatch({ color, surface }: { color: string; surface: string }): ReactElement {
  return (
    <>
      <span className="reference-swatch" style={{ background: color }} />
      <code>{color}</code>
      <span className="reference-note">{`${contrastRatio(color, surface).toFixed(1)} : 1 on the surface`}</span>
    </>
  )
}

/** The values in regular, compact and spacious density. Empty where a density leaves the value alone. */
function valuesIn(name: string): readonly (string | undefined)[] {
  const value = usual.get(name)
  return [value, ...[compact, spacious].map((tokens) => (tokens.get(name) === value ? undefined : tokens.get(name)))]
}

/** Every token that is no color, with what the densities make of it. */
export function OtherTokens(): ReactElement {
  const names = [...usual].flatMap(([name, value]) => (resolveColor(value, 'light', usual) ? [] : [name]))
  return (
    <table className="reference">
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Used in</th>
          <th scope="col">Value</th>
          <th scope="col">Compact</th>
          <th scope="col">Spacious</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <TokenName name={name} />
            <td>{usersOf(name).join(', ')}</td>
            {valuesIn(name).map((value, index) => (
              <td key={index}>
                <code>{value}</code>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
