import { type ReactElement, useState } from 'react'
import { alert, checkCircle, Icon } from '../../src/components/Icon.tsx'
import type { Scheme } from '../docs/readTokens.ts'
import { Choice } from '../support/Choice.tsx'
import { CopyButton } from '../support/CopyButton.tsx'
import { storyLink } from '../support/storyLink.ts'
import { contrastPairs, looks } from './contrastPairs.ts'
import { contrastOf, fixAll } from './fixContrast.ts'
import { darkVariant } from './oklch.ts'
import {
  type ColorName,
  colorNames,
  defaultTheme,
  densities,
  maxRadius,
  neutrals,
  sources,
  type Theme,
} from './theme.ts'
import { themeCss, themeTokens } from './themeExports.ts'

const ratioCount = contrastPairs.length * looks.length

interface ThemeControlsProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
}

/** What a designer chooses. Where the variables of an app decide, there is less to choose. */
export function ThemeControls({ theme, onChange }: ThemeControlsProps): ReactElement {
  const [resets, setResets] = useState(0)
  const change = (changes: Partial<Theme>) => onChange({ ...theme, ...changes })
  function reset(): void {
    setResets(resets + 1)
    onChange(defaultTheme)
  }
  return (
    <form className="theme-controls" aria-label="Theme" onSubmit={(event) => event.preventDefault()}>
      <Choice label="Colors" value={theme.source} titles={sources} onChange={(source) => change({ source })} />
      {theme.source === 'own' && (
        <>
          {colorNames.map((name) => (
            <ColorPair key={`${name} ${resets}`} name={name} theme={theme} onChange={onChange} />
          ))}
          <Choice
            label="Neutrals"
            value={theme.neutral}
            titles={neutrals}
            onChange={(neutral) => change({ neutral })}
          />
          <label className="petstore-field">
            <span className="petstore-label">
              Radius <small className="petstore-hint" aria-hidden="true">{`${theme.radius}em`}</small>
            </span>
            <input
              type="range"
              min={0}
              max={maxRadius}
              step={0.125}
              value={theme.radius}
              aria-valuetext={`${theme.radius}em`}
              onChange={(event) => change({ radius: event.target.valueAsNumber })}
            />
          </label>
        </>
      )}
      <Choice label="Density" value={theme.density} titles={densities} onChange={(density) => change({ density })} />
      <button type="button" className="petstore-button" onClick={reset}>
        Reset
      </button>
    </form>
  )
}

/** Always in view, however long the page is: whether the colors can be read, and what to do with the theme. */
export function ThemeActions({ theme, onChange }: ThemeControlsProps): ReactElement {
  const failures = theme.source === 'own' ? contrastOf(theme).failures() : undefined
  return (
    <div className="theme-row theme-actions">
      {failures !== undefined && (
        <output className="theme-row theme-summary" data-good={failures === 0}>
          <Icon path={failures === 0 ? checkCircle : alert} />
          <span>{failures === 0 ? `All ${ratioCount} ratios pass` : `${failures} of ${ratioCount} ratios fail`}</span>
        </output>
      )}
      {failures !== undefined && failures > 0 && (
        <button type="button" className="petstore-button" onClick={() => onChange(fixAll(theme))}>
          Fix all
        </button>
      )}
      <div className="theme-row theme-copies">
        <CopyButton onCopy={() => navigator.clipboard.writeText(linkTo(theme))}>Copy link</CopyButton>
        {theme.source === 'own' && (
          <CopyButton onCopy={() => navigator.clipboard.writeText(themeTokens(theme))}>Copy tokens</CopyButton>
        )}
        <CopyButton isPrimary onCopy={() => navigator.clipboard.writeText(`${themeCss(theme)}\n`)}>
          Copy CSS
        </CopyButton>
      </div>
    </div>
  )
}

/** An address of the playground that opens with the same theme. It has what differs from the default theme. */
function linkTo(theme: Theme): string {
  const changes = Object.entries(theme).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultTheme[name as keyof Theme]),
  )
  return storyLink('theme-builder--default', Object.fromEntries(changes))
}

interface ColorPairProps extends ThemeControlsProps {
  readonly name: ColorName
}

/** A color for each scheme, side by side. Each input is labelled with both. Dark follows light until someone edits it. */
function ColorPair({ name, theme, onChange }: ColorPairProps): ReactElement {
  const { light, dark } = theme[name]
  const isDefault = light === defaultTheme[name].light && dark === defaultTheme[name].dark
  const isDerived = isDefault || dark === darkVariant(light)
  const change = (scheme: Scheme, color: string) => {
    const derived = scheme === 'light' && isDerived ? { dark: darkVariant(color) } : {}
    onChange({ ...theme, [name]: { ...theme[name], ...derived, [scheme]: color } })
  }
  const title = name.replace(/^./, (first) => first.toUpperCase())
  return (
    <div className="theme-pair">
      <span className="petstore-label" aria-hidden="true">
        {title}
      </span>
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme}>
          <small className="petstore-hint" aria-hidden="true">
            {scheme === 'light' ? 'Light' : 'Dark'}
          </small>
          <input
            type="color"
            className="petstore-input"
            aria-label={`${title}, ${scheme}`}
            value={theme[name][scheme]}
            onChange={(event) => change(scheme, event.target.value)}
          />
          <HexField
            label={`${title}, ${scheme}, hex`}
            color={theme[name][scheme]}
            onChange={(color) => change(scheme, color)}
          />
        </div>
      ))}
    </div>
  )
}

interface HexFieldProps {
  readonly label: string
  readonly color: string
  readonly onChange: (color: string) => void
}

/** Takes a color as a design tool copies it, with or without `#`. Another text stays, and is marked as invalid on blur. */
function HexField({ label, color, onChange }: HexFieldProps): ReactElement {
  const [draft, setDraft] = useState({ text: color, color, isInvalid: false })
  if (draft.color !== color) setDraft({ text: color, color, isInvalid: false }) // the color was changed elsewhere
  const digits = digitsOf(draft.text)
  function change(text: string): void {
    const typed = digitsOf(text)
    const next = typed ? `#${typed.toLowerCase()}` : color
    setDraft({ ...draft, text, color: next })
    if (typed) onChange(next)
  }
  return (
    <input
      className="petstore-input theme-hex"
      aria-label={label}
      aria-invalid={draft.isInvalid && !digits}
      dir="ltr"
      spellCheck={false}
      value={draft.text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setDraft({ text: digits ? color : draft.text, color, isInvalid: !digits })}
    />
  )
}

const digitsOf = (text: string) => /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]
