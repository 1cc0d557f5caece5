import { type ReactElement, type ReactNode, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import {
  defaultTheme,
  densities,
  fonts,
  keysOf,
  maxRadius,
  neutrals,
  type SchemeColors,
  statusNames,
  textChoices,
  textSizes,
  type Theme,
} from './theme.ts'
import { shareAddress } from './themeAddress.ts'

interface ThemeControlsProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
}

const sources: Readonly<Record<Theme['source'], string>> = {
  own: 'Own values',
  shadcn: 'Variables of shadcn/ui',
  tailwind: 'Variables of Tailwind 4',
}

const statusTitles = { danger: 'Danger', warning: 'Warning', success: 'Success' } as const

const groups = {
  source: 'Source and link',
  accent: 'Accent',
  neutrals: 'Neutrals',
  status: 'Status',
  text: 'Text',
  shape: 'Shape',
} as const
type GroupName = keyof typeof groups

/**
 * What a designer chooses. Where the variables of an app decide, there is less to choose. The controls stay in view; on a
 * narrow page one group at a time, so that they leave room for the components.
 */
export function ThemeControls({ theme, onChange }: ThemeControlsProps): ReactElement {
  const [group, setGroup] = useState<GroupName>('accent')
  const change = (changes: Partial<Theme>) => onChange({ ...theme, ...changes })
  const isOwn = theme.source === 'own'
  return (
    <form className="theme-controls" aria-label="Theme" data-group={group} onSubmit={(event) => event.preventDefault()}>
      <div className="theme-group-choice">
        <Choice label="Change" value={group} names={keysOf(groups)} titles={groups} onChange={setGroup} />
      </div>
      <Group name="source">
        <Choice
          label="Colors from"
          value={theme.source}
          names={keysOf(sources)}
          titles={sources}
          onChange={(source) => change({ source })}
        />
        <div className="theme-actions">
          <CopyButton text={() => shareAddress(theme)}>Copy link</CopyButton>
          <button
            type="button"
            className="petstore-button petstore-button-quiet"
            onClick={() => onChange(defaultTheme)}
          >
            Reset
          </button>
        </div>
      </Group>
      {isOwn && (
        <Group name="accent">
          <ColorPair name="Accent" label="Color" colors={theme.accent} onChange={(accent) => change({ accent })} />
          <Choice
            label="Text on it"
            value={theme.onAccent}
            names={keysOf(textChoices)}
            titles={textChoices}
            onChange={(onAccent) => change({ onAccent })}
          />
        </Group>
      )}
      {isOwn && (
        <Group name="neutrals">
          <Choice
            label="Tint"
            value={theme.neutral}
            names={keysOf(neutrals)}
            titles={neutrals}
            onChange={(neutral) => change({ neutral })}
          />
        </Group>
      )}
      {isOwn && (
        <Group name="status">
          {statusNames.map((name) => (
            <ColorPair
              key={name}
              name={statusTitles[name]}
              colors={theme.status[name]}
              onChange={(colors) => change({ status: { ...theme.status, [name]: colors } })}
            />
          ))}
        </Group>
      )}
      <Group name="text">
        <Choice
          label="Font"
          value={theme.font}
          names={keysOf(fonts)}
          titles={Object.fromEntries(keysOf(fonts).map((name) => [name, fonts[name].title]))}
          onChange={(font) => change({ font })}
        />
        <Choice
          label="Text size"
          value={String(theme.textSize)}
          names={textSizes.map(String)}
          titles={Object.fromEntries(textSizes.map((size) => [String(size), `${size * 16} px`]))}
          onChange={(size) => change({ textSize: Number(size) })}
        />
      </Group>
      <Group name="shape">
        {isOwn && (
          <label className="theme-field">
            <span>
              Radius <code aria-hidden="true">{`${theme.radius}em`}</code>
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
        )}
        <Choice
          label="Density"
          value={theme.density}
          names={densities}
          titles={{ compact: 'Compact', regular: 'Regular', spacious: 'Spacious' }}
          onChange={(density) => change({ density })}
        />
      </Group>
    </form>
  )
}

function Group({ name, children }: { readonly name: GroupName; readonly children: ReactNode }): ReactElement {
  return (
    <fieldset className="theme-group" data-name={name}>
      <legend>{groups[name]}</legend>
      <div className="theme-group-fields">{children}</div>
    </fieldset>
  )
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly value: Name
  readonly names: readonly Name[]
  readonly titles: Readonly<Record<string, string>>
  readonly onChange: (name: Name) => void
}

function Choice<Name extends string>({ label, value, names, titles, onChange }: ChoiceProps<Name>): ReactElement {
  return (
    <label className="theme-field">
      <span>{label}</span>
      <select
        value={value}
        onChange={(event) => {
          const chosen = names.find((name) => name === event.target.value)
          if (chosen !== undefined) onChange(chosen)
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {titles[name]}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ColorPairProps {
  readonly name: string
  /** The visible name, where the heading above says the other. */
  readonly label?: string
  readonly colors: SchemeColors
  readonly onChange: (colors: SchemeColors) => void
}

/** A color for each scheme, side by side. The label of each input names both. */
function ColorPair({ name, label = name, colors, onChange }: ColorPairProps): ReactElement {
  return (
    <div className="theme-field theme-pair">
      <span aria-hidden="true">{label}</span>
      {(['light', 'dark'] as const).map((scheme) => (
        <label key={scheme}>
          <input
            type="color"
            aria-label={`${name}, ${scheme}`}
            value={colors[scheme]}
            onChange={(event) => onChange({ ...colors, [scheme]: event.target.value })}
          />
          <small aria-hidden="true">
            {scheme} <code>{colors[scheme]}</code>
          </small>
        </label>
      ))}
    </div>
  )
}
