import type { ReactElement, ReactNode } from 'react'
import { densities, type Density, type FontName, fonts, type Theme } from './theme.ts'

interface ThemeControlsProps {
  readonly theme: Theme
  readonly onChange: (change: Partial<Theme>) => void
}

const sources: Readonly<Record<Theme['source'], string>> = {
  own: 'Own values',
  shadcn: 'Variables of shadcn/ui',
  tailwind: 'Variables of Tailwind 4',
}

/** What a designer chooses. Where the variables of an app decide, there is less to choose. */
export function ThemeControls({ theme, onChange }: ThemeControlsProps): ReactElement {
  const { source, accent, radius, density, font } = theme
  const accentField = (scheme: 'light' | 'dark') => (
    <Field label={`Accent, ${scheme}`} value={accent[scheme]}>
      <input
        type="color"
        value={accent[scheme]}
        onChange={(event) => onChange({ accent: { ...accent, [scheme]: event.target.value } })}
      />
    </Field>
  )
  return (
    <div className="theme-controls">
      <Field label="Colors and shapes">
        <select value={source} onChange={(event) => onChange({ source: event.target.value as Theme['source'] })}>
          {Object.entries(sources).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      {source === 'own' && (
        <>
          {accentField('light')}
          {accentField('dark')}
          <Field label="Radius" value={`${radius}em`}>
            <input
              type="range"
              min={0}
              max={1.25}
              step={0.125}
              value={radius}
              aria-valuetext={`${radius}em`}
              onChange={(event) => onChange({ radius: event.target.valueAsNumber })}
            />
          </Field>
          <Field label="Font">
            <select value={font} onChange={(event) => onChange({ font: event.target.value as FontName })}>
              {Object.entries(fonts).map(([name, { title }]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
      <Field label="Density">
        <select value={density} onChange={(event) => onChange({ density: event.target.value as Density })}>
          {densities.map((name) => (
            <option key={name} value={name}>
              {`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
            </option>
          ))}
        </select>
      </Field>
    </div>
  )
}

interface FieldProps {
  readonly label: string
  /** Shown beside the label, where the control does not show it itself. Assistive technology has it from the control. */
  readonly value?: string
  readonly children: ReactNode
}

function Field({ label, value, children }: FieldProps): ReactElement {
  return (
    <label className="theme-field">
      <span>
        {label} {value !== undefined && <code aria-hidden="true">{value}</code>}
      </span>
      {children}
    </label>
  )
}
