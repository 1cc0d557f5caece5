import {
  AnchorMdx,
  Controls,
  Description,
  DocsContext,
  DocsStory,
  HeaderMdx,
  Primary,
  Stories,
  Subtitle,
  Title,
  useOf,
} from '@storybook/addon-docs/blocks'
import { type ReactElement, useContext } from 'react'
import { storyNameFromExport, toId } from 'storybook/internal/csf'
import { api } from 'virtual:petstore-api'
import { ToolbarContext } from '../../../.storybook/ToolbarContext.ts'
import { en } from '../../../src/labels/en.ts'
import { formatsFor } from '../../../src/labels/formats.ts'
import { Fields, Marked } from '../Reference.tsx'
import { allFacts } from './allFacts.ts'
import { Anatomy } from './Anatomy.tsx'
import type { ComponentFacts } from './ComponentFacts.ts'
import { labelRows } from './labelRows.ts'
import { describePart, nativeProps, startOf } from './parts.ts'
import { propId, sceneId, sections } from './sections.ts'

/** The docs page of a component of the package, and of whatever else has stories. */
export function ComponentPage(): ReactElement {
  const { preparedMeta } = useOf('meta', ['meta'])
  const name = preparedMeta.title.split('/').at(-1) ?? ''
  const facts = allFacts[name]
  if (!facts) return <PageOfStories />
  return (
    <>
      <Title />
      <Subtitle />
      <Description of="meta" />
      <Examples facts={facts} />
      <Props name={name} />
      <Pictures name={name} facts={facts} />
      <Keyboard facts={facts} />
      <Spoken facts={facts} />
      <Advice facts={facts} />
      <DefaultWords facts={facts} />
    </>
  )
}

function PageOfStories(): ReactElement {
  return (
    <>
      <Title />
      <Subtitle />
      <Description of="meta" />
      <Primary />
      <Controls />
      <Stories
        includePrimary={false}
        title={
          <HeaderMdx as="h2" id="stories">
            More stories
          </HeaderMdx>
        }
      />
    </>
  )
}

interface SectionProps {
  readonly facts: ComponentFacts
}

const Section = ({ of }: { readonly of: keyof typeof sections }): ReactElement => (
  <HeaderMdx as="h2" id={of}>
    {sections[of]}
  </HeaderMdx>
)

/** The first one without a heading, since it is the component as it is; then the others, and the way to all of them. */
function Examples({ facts }: SectionProps): ReactElement {
  const stories = useContext(DocsContext).componentStories()
  const { preparedMeta } = useOf('meta', ['meta'])
  const { id } = preparedMeta
  const storyOf = (name: string) => stories.find((story) => story.id === toId(id, storyNameFromExport(name)))
  const [first, ...others] = facts.examples.flatMap((name) => storyOf(name) ?? [])
  const playground = storyOf('Playground')
  return (
    <>
      {first && <DocsStory of={first.moduleExport} expanded={false} withToolbar />}
      <p>
        <AllStates id={id} count={stories.length} />
        {playground && (
          <>
            {' · '}
            <AnchorMdx target="_self" href={`?path=/story/${playground.id}`}>
              Try the props
            </AnchorMdx>
          </>
        )}
      </p>
      <Section of="examples" />
      {others.map((story) => (
        <DocsStory key={story.id} of={story.moduleExport} />
      ))}
      <p>
        <AllStates id={id} count={stories.length} />
      </p>
    </>
  )
}

const AllStates = ({ id, count }: { readonly id: string; readonly count: number }): ReactElement => (
  <AnchorMdx target="_self" href={`?path=/docs/${id}--all-states`}>
    See all {count} states
  </AnchorMdx>
)

function Props({ name }: { readonly name: string }): ReactElement {
  return (
    <>
      <Section of="props" />
      <Fields of={`${name}Props`} idOf={propId} />
      <p>
        <Marked text={nativeProps(name, api)} />
      </p>
    </>
  )
}

function Pictures({ name, facts }: SectionProps & { readonly name: string }): ReactElement {
  const globals = useContext(ToolbarContext)
  return (
    <>
      <Section of="anatomy" />
      <p>
        {facts.labels ? (
          <>
            Style each part through <code>classNames</code>.
          </>
        ) : (
          'Each part takes its props in an object.'
        )}
      </p>
      {facts.scenes.map((scene) => (
        <section key={scene.title}>
          <HeaderMdx as="h3" id={sceneId(scene.title)}>
            {scene.title}
          </HeaderMdx>
          <Anatomy
            key={Object.values(globals).join()}
            component={name}
            scene={scene}
            start={startOf(scene, facts)}
            globals={globals}
            texts={scene.parts.map((part) => <Marked key={part} text={describePart(part, facts, api)} />)}
          />
        </section>
      ))}
    </>
  )
}

function Keyboard({ facts }: SectionProps): ReactElement {
  return (
    <>
      <Section of="keyboard" />
      <table className="reference">
        <thead>
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What they do</th>
          </tr>
        </thead>
        <tbody>
          {facts.keys.map(({ keys, text }) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>
                <Marked text={text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Spoken({ facts }: SectionProps): ReactElement {
  return (
    <>
      <Section of="spoken" />
      <p>Screen readers speak each of these once, politely. No countdown is spoken.</p>
      <table className="reference">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Words</th>
          </tr>
        </thead>
        <tbody>
          {facts.spoken.map(({ text, says }) => (
            <tr key={text}>
              <td>
                <Marked text={text} />
              </td>
              <td>{says && <q>{says(en, formatsFor(en.locale))}</q>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Advice({ facts }: SectionProps): ReactElement {
  return (
    <>
      <Section of="advice" />
      <div className="reference-advice">
        <AdviceList title="Do" items={facts.dos} />
        <AdviceList title="Don't" items={facts.donts} />
      </div>
    </>
  )
}

function AdviceList({ title, items }: { readonly title: string; readonly items: readonly string[] }): ReactElement {
  return (
    <div data-advice={title}>
      <p>
        <strong>{title}</strong>
      </p>
      <ul>
        {items.map((item) => (
          <li key={item}>
            <Marked text={item} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function DefaultWords({ facts: { labels, alsoShows } }: SectionProps): ReactElement {
  return (
    <>
      <Section of="words" />
      {labels && (
        <>
          <p>
            The English labels. Override some with <code>labels</code>, or all with the provider. Names in braces stand
            for arguments, and numbers are examples.
          </p>
          <table className="reference">
            <thead>
              <tr>
                <th scope="col">Label</th>
                <th scope="col">Text</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {labelRows(labels, api).map(({ name, text, description }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{text}</td>
                  <td>
                    <Marked text={description} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {alsoShows.length > 0 && (
        <p>
          {labels ? 'It also shows the words of ' : 'It shows the words of '}
          <Marked text={`${alsoShows.map((other) => `\`${other}\``).join(', ')}.`} />
        </p>
      )}
    </>
  )
}
