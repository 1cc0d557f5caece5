import type { ReactElement } from 'react'

/** React alone, with a row that needs no service: the floor. */
export const App = (): ReactElement => (
  <ul>
    <li>Dog 1</li>
  </ul>
)
