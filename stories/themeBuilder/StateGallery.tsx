import { type ReactElement, useContext, useState } from 'react'
import { initialGlobals } from '../../.storybook/toolbar.ts'
import { ToolbarContext } from '../../.storybook/ToolbarContext.ts'
import { StillScene } from '../docs/components/Anatomy.tsx'
import { sceneViews } from '../docs/components/sceneViews.tsx'
import { looks } from './looks.ts'
import { ThemedPage } from './ThemePreview.tsx'
import type { Theme } from './theme.ts'

/** Those with hundreds of rows show nothing else, and take their time. */
const tooLong = new Set(['CategoryList/More than 200 rows', 'CategoryForm/Created, but not in view'])

const states = Object.entries(sceneViews).filter(([name]) => !tooLong.has(name))

/** Every component in its states, in one look of the theme. */
export function StateGallery({ source }: { readonly source: Theme['source'] }): ReactElement {
  const globals = useContext(ToolbarContext) ?? initialGlobals
  const [title, setTitle] = useState('Light')
  const look = looks.find((one) => one.title === title) ?? looks[0]
  return (
    <div className="theme-part">
      <div className="theme-head">
        <h2 id="theme-states">Every component in its states</h2>
        <label className="theme-field">
          <span>Look</span>
          <select value={title} onChange={(event) => setTitle(event.target.value)}>
            {looks.map((one) => (
              <option key={one.title}>{one.title}</option>
            ))}
          </select>
        </label>
      </div>
      {look && (
        <ThemedPage look={look} source={source}>
          <div className="theme-states">
            {states.map(([name, view]) => {
              const [component = '', state = ''] = name.split('/')
              return (
                <section key={name} className="theme-state" aria-label={`${component}: ${state}`}>
                  <p>
                    <strong>{component}</strong> {state}
                  </p>
                  <StillScene key={Object.values(globals).join()} view={view} globals={globals} />
                </section>
              )
            })}
          </div>
        </ThemedPage>
      )}
    </div>
  )
}
