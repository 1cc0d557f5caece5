import type { ReactElement } from 'react'

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly value: Name
  readonly titles: Readonly<Record<Name, string>>
  readonly onChange: (name: Name) => void
}

/** A select with a label, for what has few values. */
export function Choice<Name extends string>({ label, value, titles, onChange }: ChoiceProps<Name>): ReactElement {
  return (
    <label className="petstore-field">
      <span className="petstore-label">{label}</span>
      {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options are the names */}
      <select className="petstore-input" value={value} onChange={(event) => onChange(event.target.value as Name)}>
        {Object.entries<string>(titles).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
