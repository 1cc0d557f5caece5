import { AnchorMdx, Canvas, Description, DocsContext } from '@storybook/addon-docs/blocks'
import { type ReactElement, useContext } from 'react'
import './AllStates.css'
import { stateName } from './stateName.ts'

/** Every story of a component in a frame of its own, each with a link to it. */
export function AllStates(): ReactElement {
  const stories = useContext(DocsContext)
    .componentStories()
    .filter(({ tags, usesMount }) => tags.includes('autodocs') && !usesMount)
  return (
    <div className="all-states">
      {stories.map(({ id, name, moduleExport }) => (
        <section key={id} className="all-states-one" aria-labelledby={`state-${id}`}>
          <h2 id={`state-${id}`}>
            <AnchorMdx target="_self" href={`?path=/story/${id}`}>
              {stateName(name)}
            </AnchorMdx>
          </h2>
          <Description of={moduleExport} />
          <Canvas of={moduleExport} sourceState="none" />
        </section>
      ))}
    </div>
  )
}
