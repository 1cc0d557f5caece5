import type { ReactElement } from 'react'

export interface Row {
  readonly id: number | string
  readonly name: string
}

export const Rows = ({ rows }: { readonly rows: readonly Row[] }): ReactElement => (
  <ul>
    {rows.map(({ id, name }) => (
      <li key={id}>{name}</li>
    ))}
  </ul>
)
