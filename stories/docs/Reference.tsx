import { type ReactElement, type ReactNode } from 'react'
import { api, entries } from 'virtual:petstore-api'
import type { ApiEntry } from '../../.storybook/readApi.ts'
import './Reference.css'

function entryOf(name: string): ApiEntry {
  const entry = api[name]
  if (!entry) throw new Error(`The source exports no ${name}.`)
  return entry
}

/** What the source says of a hook or function: how it is called, what it does, what it throws. */
export function Signature({ of }: { readonly of: string }): ReactElement {
  const { description, signatures, throws, deprecated } = entryOf(of)
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

/** The fields of an interface, with those it takes from others of the package. */
export function Fields({ of }: { readonly of: string }): ReactElement {
  const fields = fieldsOf(of)
  // Most options may be left out, and most of what is given is always there: the other ones are marked.
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
            <td>
              <code>{type}</code>
            </td>
            <td>
              <Marked text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Everything that an entry of the package exports, in the order of the alphabet. */
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

/** The names that an entry exports, each with a link to what is said of it on the page. */
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

/** TSDoc's code spans. */
function Marked({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
