import type { ReactElement } from 'react'

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly value: Name
  readonly titles: Readonly<Record<Name, string>>
  readonly onChange: (name: Name) => void
}

/** A select with a label. */
export function Choice<Name extends string>({ label, value, titles, onChange }: ChoiceProps<Name>): ReactElement {
  const isName = (name: string): name is Name => name in titles
  const choose = (name: string) => isName(name) && onChange(name)
  return (
    <label className="petstore-field">
      <span className="petstore-label">{label}</span>
      <select className="petstore-input" value={value} onChange={(event) => choose(event.target.value)}>
        {Object.entries<string>(titles).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
