import { AnchorMdx, Description, DocsContext, Story, Title } from '@storybook/addon-docs/blocks'
import { type ReactElement, useContext, useEffect, useRef, useState } from 'react'
import './AllStates.css'
import { stateName } from './stateName.ts'

/** All stories of a component, each with a link to it. The first six start at once, the others when those have settled. */
export function AllStates(): ReactElement {
  const stories = useContext(DocsContext)
    .componentStories()
    .filter(({ tags, usesMount }) => tags.includes('autodocs') && !usesMount)
  const pageRef = useRef<HTMLDivElement>(null)
  const [showsAll, setShowsAll] = useState(false)
  useEffect(() => {
    const page = pageRef.current
    // Not all at once: a story that starts clears the mocks in the args of one that still plays.
    const settled = new MutationObserver(() =>
      setShowsAll(!page?.querySelector('[data-story-block]:not([data-settled])')),
    )
    if (page && !showsAll) settled.observe(page, { subtree: true, attributeFilter: ['data-settled'] })
    const timer = setTimeout(() => setShowsAll(true), 4_000) // a story that throws never settles
    return () => {
      settled.disconnect()
      clearTimeout(timer)
    }
  }, [showsAll])
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
              {showsAll || index < 6 ? <Story of={moduleExport} /> : <div className="sb-story" />}
            </div>
          </section>
        ))}
      </div>
    </>
  )
}
