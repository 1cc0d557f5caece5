import type { Decorator } from '@storybook/react-vite'
import './Examples.css'

const sources = import.meta.glob<string>('./*.tsx', { query: '?raw', import: 'default', eager: true })

/**
 * Shows the source of an example below it, as an app would write it.
 *
 * @param file - the example's file in this folder, without its extension
 */
export const withSource =
  (file: string): Decorator =>
  (Story) => (
    <div className="example">
      <Story />
      <details>
        <summary>Source</summary>
        <pre dir="ltr">
          <code>{sources[`./${file}.tsx`]?.replaceAll("'../../src/index.ts'", "'petstore-react'")}</code>
        </pre>
      </details>
    </div>
  )
