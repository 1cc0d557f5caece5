import type { Decorator } from '@storybook/react-vite'
import './Examples.css'

/** Lays out an example as a very simple app would. It speaks English, whatever the components speak. */
export const asExample: Decorator = (Story) => (
  <div className="example" lang="en" dir="ltr">
    <Story />
  </div>
)
