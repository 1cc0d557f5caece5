import { AnchorMdx } from '@storybook/addon-docs/blocks'
import type { ReactElement, ReactNode } from 'react'
import { reference } from 'virtual:petstore-reference'
import type { ApiEntry } from '../../../.storybook/readApi.ts'
import { curly } from '../guideText.ts'
import './ReferencePage.css'

/** Describes what one entry of the package exports: the TSDoc and the declaration of each name, as the source has them. */
export function ReferencePage({ of }: { readonly of: string }): ReactElement {
  const described = reference[of] ?? []
  return (
    <>
      <p className="reference-names">
        {described.map(({ name }) => (
          <NameLink key={name} name={name} />
        ))}
      </p>
      {described.map(({ name, description, deprecated, examples, throws, ...entry }) => (
        <section key={name} className="reference" aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          <p>
            {deprecated && <strong>Deprecated. {deprecated} </strong>}
            <Marked text={curly(description)} />
          </p>
          {examples.map((example) => (
            <pre key={example}>
              <code>{example}</code>
            </pre>
          ))}
          <Declaration name={name} {...entry} />
          {throws.map((failure) => (
            <p key={failure}>
              Throws <Marked text={curly(failure)} />.
            </p>
          ))}
        </section>
      ))}
    </>
  )
}

type Declared = Pick<ApiEntry, 'kind' | 'name' | 'signatures' | 'extended' | 'members'>

/** The declaration of an export, with the TSDoc of its fields. */
function Declaration({ kind, name, signatures, extended, members }: Declared): ReactNode {
  const fields = members.map(({ name: field, type, isOptional, description }) => {
    const comment = description && `  /** ${description} */\n`
    return `${comment}  ${field}${isOptional ? '?' : ''}${type && `: ${type}`}\n`
  })
  const bases = extended.length > 0 ? ` extends ${extended.join(', ')}` : ''
  const object = `${kind} ${name}${bases} {\n${fields.join('')}}`
  const body =
    kind === 'type'
      ? `type ${name} = ${signatures.join()}`
      : fields.length > 0 || bases
        ? object
        : signatures.join('\n\n')
  if (body === '') return null
  return (
    <pre>
      <code>
        <Linked text={body} except={name} />
      </code>
    </pre>
  )
}

/** The page of each name. */
const pageOf = new Map(
  Object.entries(reference).flatMap(([page, described]) => described.map(({ name }) => [name, page] as const)),
)

const NameLink = ({ name }: { readonly name: string }): ReactElement => (
  <AnchorMdx target="_self" href={`?path=/docs/reference-${pageOf.get(name)}--docs#${name}`}>
    {name}
  </AnchorMdx>
)

/** Code with a link at each name that the package exports. */
const Linked = ({ text, except }: { readonly text: string; readonly except?: string }): ReactNode =>
  text
    .split(/\b((?:use)?[A-Z]\w+)\b/)
    .map((part, index) => (pageOf.has(part) && part !== except ? <NameLink key={index} name={part} /> : part))

/** The code spans of TSDoc. */
const Marked = ({ text }: { readonly text: string }): ReactNode =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <Linked text={part} />
      </code>
    ) : (
      part
    ),
  )
