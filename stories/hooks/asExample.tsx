import type { Decorator } from '@storybook/react-vite'
import './Examples.css'

/** Lays out an example as a very simple app would. */
export const asExample: Decorator = (Story) => (
  <div className="example">
    <Story />
  </div>
)
