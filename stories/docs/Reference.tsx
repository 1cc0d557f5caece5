import { AnchorMdx } from '@storybook/addon-docs/blocks'
import { createContext, type ReactElement, type ReactNode, useContext } from 'react'
import { api, entries } from 'virtual:petstore-api'
import { type ApiKind, apiKinds, kindOf, pageOf, sortNames } from '../../.storybook/apiKinds.ts'
import { fieldsOf } from '../../.storybook/fieldsOf.ts'
import type { ApiEntry } from '../../.storybook/readApi.ts'
import { kindOfClass } from './errorKindRows.ts'
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
          <code>
            <LinkedTypes text={signature} except={of} />
          </code>
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

interface FieldsProps {
  readonly of: string
  /** Makes the id of the row of a field. */
  readonly idOf?: (name: string) => string
}

/** Lists the fields of an interface, including those of the interfaces that it extends. */
export function Fields({ of, idOf }: FieldsProps): ReactElement {
  const fields = fieldsOf(of, api)
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
          <tr key={name} id={idOf?.(name)}>
            <th scope="row">
              <code>{name}</code>
              {areOptions === !isOptional && (
                <span className="reference-note">{areOptions ? 'required' : 'optional'}</span>
              )}
            </th>
            <td>
              {type && (
                <code>
                  <LinkedTypes text={type} except={of} />
                </code>
              )}
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

/** Describes every export of a kind, each with the types and functions that belong to it. */
export function ReferencePage({ kind }: { readonly kind: ApiKind }): ReactElement {
  const names = sortNames([...kinds].flatMap(([name, other]) => (other === kind ? [name] : [])))
  return (
    <PageKind value={kind}>
      <Names names={names} />
      {names.map((name) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          <Signature of={name} />
          <KindLink of={name} />
          {fieldsOf(name, api).length > 0 && <Fields of={name} />}
        </section>
      ))}
    </PageKind>
  )
}

/** Leads from an error class to what the guide says of its kind. */
function KindLink({ of }: { readonly of: string }): ReactElement | null {
  const kind = kindOfClass(of)
  if (kind === undefined) return null
  return (
    <p>
      When it occurs, and what people see:{' '}
      <AnchorMdx target="_self" href={`?path=/docs/guides-errors--docs#${kind}`}>
        <code>{kind}</code>
      </AnchorMdx>
    </p>
  )
}

/** Lists what each entry of the package exports, kind by kind, with links to the descriptions. */
export function Entries(): ReactElement {
  return (
    <>
      {Object.entries(entries).flatMap(([entry, names]) =>
        entry.includes('/locales/') ? (
          []
        ) : (
          <section key={entry} aria-labelledby={entry}>
            <h2 id={entry}>{entry}</h2>
            {(Object.keys(apiKinds) as ApiKind[]).map((kind) => (
              <Names
                key={kind}
                title={apiKinds[kind]}
                names={sortNames(names.flatMap(({ name }) => (kinds.get(name) === kind ? [name] : [])))}
              />
            ))}
          </section>
        ),
      )}
    </>
  )
}

interface NamesProps {
  readonly title?: string
  readonly names: readonly string[]
}

/** Names with links to their descriptions. Nothing if there are none. */
function Names({ title, names }: NamesProps): ReactNode {
  if (names.length === 0) return null
  return (
    <p className="reference-names">
      {title !== undefined && <strong>{title}</strong>}
      {names.map((name) => (
        <ReferenceLink key={name} name={name} />
      ))}
    </p>
  )
}

/** The page of each export. */
const kinds: ReadonlyMap<string, ApiKind> = new Map(
  Object.values(entries).flatMap((names) => names.map(({ name }) => [name, kindOf(entryOf(name))] as const)),
)

/** Links to the description of an export, on this page or on another one. */
function ReferenceLink({ name }: { readonly name: string }): ReactElement {
  const kind = kinds.get(name)
  const isOnThisPage = useContext(PageKind) === kind
  return (
    <AnchorMdx target="_self" href={isOnThisPage || !kind ? `#${name}` : `?path=/docs/${pageOf(kind)}#${name}`}>
      {name}
    </AnchorMdx>
  )
}

/** The kind that the page around a link describes. */
const PageKind = createContext<ApiKind | undefined>(undefined)

/** The text of a type or signature, with a link at each type that the package exports. */
function LinkedTypes({ text, except }: { readonly text: string; readonly except: string }): ReactNode {
  return text
    .split(/\b([A-Z]\w+)\b/)
    .map((part, index) => (kinds.has(part) && part !== except ? <ReferenceLink key={index} name={part} /> : part))
}

/** Renders the code spans of TSDoc. One that names an export is a link. */
export function Marked({ text }: { readonly text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? (
        <code key={index}>
          {/^(?:[A-Z]|use[A-Z])/.test(part) && kinds.has(part) ? <ReferenceLink name={part} /> : part}
        </code>
      ) : (
        part
      ),
    )
}
