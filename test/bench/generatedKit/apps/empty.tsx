import type { ReactElement } from 'react'

/** The baseline: React and one fixed row. */
export const App = (): ReactElement => (
  <ul>
    <li>Dog 1</li>
  </ul>
)
