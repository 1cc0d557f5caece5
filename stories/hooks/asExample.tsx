import type { Decorator } from '@storybook/react-vite'
import './Examples.css'

/** Lays out an example as a very simple app would. It is in English, whatever language the toolbar has. */
export const asExample: Decorator = (Story) => (
  <div className="example" lang="en" dir="ltr">
    <Story />
  </div>
)
