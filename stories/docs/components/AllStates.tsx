import { AnchorMdx, Description, DocsContext, Story, Title } from '@storybook/addon-docs/blocks'
import { type ReactElement, useContext, useEffect, useRef, useState } from 'react'
import './AllStates.css'
import { stateName } from './stateName.ts'

/** Every story of a component in a frame of its own, each with a link to it. The six that are seen first have a head start. */
export function AllStates(): ReactElement {
  const stories = useContext(DocsContext)
    .componentStories()
    .filter(({ tags, usesMount }) => tags.includes('autodocs') && !usesMount)
  const pageRef = useRef<HTMLDivElement>(null)
  const [isComplete, setComplete] = useState(false)
  useEffect(() => {
    const page = pageRef.current
    // The others start after these have settled: a story that starts clears the spies of one that plays.
    const settled = new MutationObserver(() =>
      setComplete(!page?.querySelector('[data-story-block]:not([data-settled])')),
    )
    if (page && !isComplete) settled.observe(page, { subtree: true, attributeFilter: ['data-settled'] })
    const timer = setTimeout(() => setComplete(true), 4_000) // a story that throws never settles
    return () => {
      settled.disconnect()
      clearTimeout(timer)
    }
  }, [isComplete])
  return (
    <>
      <Title>{`${stories[0]?.title.replace(/.*\//, '')}: all states`}</Title>
      <div className="all-states" ref={pageRef}>
        {stories.map(({ id, name, moduleExport }, index) => (
          <section key={id} className="all-states-one" aria-labelledby={`state-${id}`}>
            <h2 id={`state-${id}`}>
              <AnchorMdx target="_self" href={`?path=/story/${id}`}>
                {stateName(name)}
              </AnchorMdx>
            </h2>
            <Description of={moduleExport} />
            <div className="docs-story">
              {isComplete || index < 6 ? <Story of={moduleExport} /> : <div className="sb-story" />}
            </div>
          </section>
        ))}
      </div>
    </>
  )
}
