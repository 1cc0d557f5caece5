import {
  AnchorMdx,
  Description,
  DocsContext,
  DocsStory,
  Heading,
  Subheading,
  Title,
  useOf,
} from '@storybook/addon-docs/blocks'
import { Fragment, type ReactElement, type ReactNode, useContext, useMemo } from 'react'
import { ToolbarContext } from '../../../.storybook/ToolbarContext.ts'
import { Guide } from '../Guide.tsx'
import { Advice } from './Advice.tsx'
import { Anatomy } from './Anatomy.tsx'
import { anatomyParts } from './anatomyParts.ts'
import { stateName } from './stateName.ts'

/** The files of `docs/components`, by their paths. */
const pages: Readonly<Record<string, string>> = import.meta.glob('../../../docs/components/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A docs page: of a component of the package from its file in `docs/components`, of anything else from its stories. */
export function ComponentPage(): ReactElement {
  const { preparedMeta } = useOf('meta', ['meta'])
  const name = preparedMeta.title.split('/').at(-1) ?? ''
  const text = pages[`../../../docs/components/${name}.md`]
  return text === undefined ? <PageOfStories /> : <PageOfComponent name={name} text={text} />
}

function PageOfComponent({ name, text }: { readonly name: string; readonly text: string }): ReactElement {
  const stories = useContext(DocsContext).componentStories()
  const globals = useContext(ToolbarContext)
  const key = Object.values(globals).join()
  const [, first] = /<!-- story: (?!do: |don't: )(.+) -->/.exec(text) ?? []
  const pictures = useMemo(() => anatomyParts(text), [text])
  function show(shown: string): ReactNode {
    if (shown === 'All states') return <AllStatesLink id={name.toLowerCase()} count={stories.length} />
    if (shown.startsWith("don't: ")) return '' // `Advice` shows both
    if (shown.startsWith('do: ')) return <Advice key={key} component={name} text={text} globals={globals} />
    const title = shown.replace(/^anatomy of /, '')
    const parts = title === shown ? undefined : pictures.get(title)
    if (parts) {
      return <Anatomy key={key} scene={`${name}/${title}`} parts={parts} globals={globals} />
    }
    const story = stories.find((one) => one.name === shown)
    if (!story) return undefined
    return (
      <>
        {/* The first story has no heading: it shows the component as it is. */}
        {shown !== first && (
          <>
            <Subheading>{stateName(shown)}</Subheading>
            <Description of={story.moduleExport} />
          </>
        )}
        <DocsStory of={story.moduleExport} expanded={false} />
      </>
    )
  }
  return <Guide text={text} show={show} />
}

const AllStatesLink = ({ id, count }: { readonly id: string; readonly count: number }): ReactElement => (
  <p>
    <AnchorMdx target="_self" href={`?path=/docs/${id}--all-states`}>
      See all {count} states
    </AnchorMdx>
  </p>
)

/** Demos, recipes and examples have no props to choose: their stories are the page. */
function PageOfStories(): ReactElement {
  const stories = useContext(DocsContext).componentStories()
  return (
    <>
      <Title />
      <Description of="meta" />
      {stories
        .filter(({ tags }) => tags.includes('autodocs'))
        .map(({ id, name, moduleExport }, index) => (
          <Fragment key={id}>
            {index > 0 && <Heading>{stateName(name)}</Heading>}
            {index > 0 && <Description of={moduleExport} />}
            <DocsStory of={moduleExport} expanded={false} />
          </Fragment>
        ))}
    </>
  )
}
