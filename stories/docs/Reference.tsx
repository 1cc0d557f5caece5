import { type ReactElement, type ReactNode } from 'react'
import { api, entries } from 'virtual:petstore-api'
import type { ApiEntry } from '../../.storybook/readApi.ts'
import './Reference.css'

function entryOf(name: string): ApiEntry {
  const entry = api[name]
  if (!entry) throw new Error(`The source exports no ${name}.`)
  return entry
}

/** Describes a hook or function from its source: what it does, an example, its signatures and what it throws. */
export function Signature({ of }: { readonly of: string }): ReactElement {
  const { description, examples, signatures, throws, deprecated } = entryOf(of)
  const [text = '', ...items] = description.split(/ - (?=`)/)
  return (
    <div className="reference">
      {deprecated && (
        <p className="reference-deprecated">
          <strong>Deprecated.</strong> <Marked text={deprecated} />
        </p>
      )}
      <p>
        <Marked text={text} />
      </p>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item}>
              <Marked text={item} />
            </li>
          ))}
        </ul>
      )}
      {examples.map((example) => (
        <pre key={example}>
          <code>{example}</code>
        </pre>
      ))}
      {signatures.map((signature) => (
        <pre key={signature}>
          <code>{signature}</code>
        </pre>
      ))}
      {throws.map((failure) => (
        <p key={failure}>
          Throws <Marked text={failure} />.
        </p>
      ))}
    </div>
  )
}

/** Lists the fields of an interface, including those of the interfaces that it extends. */
export function Fields({ of }: { readonly of: string }): ReactElement {
  const fields = fieldsOf(of)
  // Most options are optional and most results are always set, so the table marks the others.
  const areOptions = /(?:Options|Props|ClassNames)$/.test(of)
  return (
    <table className="reference">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, isOptional, description }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {areOptions === !isOptional && (
                <span className="reference-note">{areOptions ? 'required' : 'optional'}</span>
              )}
            </th>
            <td>{type && <code>{type}</code>}</td>
            <td>
              <Marked text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Describes everything that an entry of the package exports, in alphabetical order. */
export function Entry({ of }: { readonly of: string }): ReactElement {
  return (
    <>
      <Names of={of} />
      {(entries[of] ?? []).map(({ name }) => (
        <section key={name} aria-labelledby={name}>
          <h3 id={name}>{name}</h3>
          <Signature of={name} />
          {fieldsOf(name).length > 0 && <Fields of={name} />}
        </section>
      ))}
    </>
  )
}

/** Describes every hook with its options and its result. */
export function Hooks(): ReactElement {
  const names = (entries['petstore-react'] ?? []).flatMap(({ name }) => (name.startsWith('use') ? [name] : []))
  return (
    <>
      {names.map((name) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          <Signature of={name} />
          {(['Options', 'Result'] as const).map((part) => (
            <HookType key={part} part={part} of={`U${name.slice(1)}${part}`} />
          ))}
        </section>
      ))}
    </>
  )
}

/** The options or the result of a hook. Nothing for a hook that has no type for them. */
function HookType({ part, of }: { readonly part: 'Options' | 'Result'; readonly of: string }): ReactNode {
  if (!api[of]) return null
  return (
    <>
      <h3>{part}</h3>
      {fieldsOf(of).length > 0 ? <Fields of={of} /> : <Signature of={of} />}
    </>
  )
}

/** Lists the names that an entry exports, with links to their descriptions on the page. */
export function Names({ of }: { readonly of: string }): ReactElement {
  const names = entries[of] ?? []
  return (
    <>
      {(['value', 'type'] as const).map((kind) => (
        <p key={kind} className="reference-names">
          <strong>{kind === 'value' ? 'Values' : 'Types'}</strong>
          {names
            .filter((entry) => entry.kind === kind)
            .map(({ name }) => (
              // Links of this frame would open in the frame around it.
              <a key={name} href={`#${name}`} target="_self">
                {name}
              </a>
            ))}
        </p>
      ))}
    </>
  )
}

function fieldsOf(name: string): ApiEntry['members'] {
  const { members, extended } = entryOf(name)
  const inherited = extended.flatMap((text) => {
    const base = /^\w+/.exec(text)?.[0] ?? ''
    return api[base] ? fieldsOf(base) : []
  })
  return [...members, ...inherited.filter((field) => !members.some((own) => own.name === field.name))]
}

/** Renders the code spans of TSDoc. */
function Marked({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
