import { Fragment, type ReactElement, type ReactNode } from 'react'
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
  return (
    <div className="reference">
      {deprecated && (
        <p className="reference-deprecated">
          <strong>Deprecated.</strong> <Marked text={deprecated} />
        </p>
      )}
      <p>
        <Marked text={description} />
      </p>
      {signatures.map((signature) => (
        <pre key={signature}>
          <code>{signature}</code>
        </pre>
      ))}
      {throws.map((text) => (
        <p key={text}>
          Throws <Marked text={text} />
        </p>
      ))}
    </div>
  )
}

/** The fields of an interface, with those it takes from others of the package. */
export function Fields({ of }: { readonly of: string }): ReactElement {
  const fields = fieldsOf(of)
  // Of a result everything is there.
  const areOptions = fields.some(({ isOptional }) => isOptional)
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
              {areOptions && !isOptional && <span className="reference-required">required</span>}
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

/** The names that an entry exports. */
export function Names({ of }: { readonly of: string }): ReactElement {
  return (
    <p>
      {(entries[of] ?? []).map(({ name }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <code>{name}</code>
        </Fragment>
      ))}
    </p>
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
