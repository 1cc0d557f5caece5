import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react'
import { languageOf } from '../../.storybook/StoryFrame.tsx'
import { wholeDay } from '../../.storybook/faults.ts'
import { StoryService } from '../../.storybook/StoryService.tsx'
import { initialGlobals, type ToolbarGlobals } from '../../.storybook/toolbar.ts'
import {
  CategoryForm,
  CategoryList,
  ErrorNotice,
  isPetstoreError,
  MessageComposer,
  type PetstoreError,
  RateLimitBadge,
  usePetstoreClient,
} from '../../src/index.ts'
import { labelsOf } from '../support/labelsOf.ts'
import { cellsOf, type ComponentName, components, sample, type Situation, situations } from './situations.ts'
import './SituationTable.css'

/**
 * Every situation in every component in which it can occur, each with a service of its own. The table is in English, as the
 * playground is; only its components have the language and direction of the toolbar.
 */
export function SituationTable({ globals }: { readonly globals: Partial<ToolbarGlobals> }): ReactElement {
  const labels = labelsOf({ globals })
  const cellGlobals: ToolbarGlobals = { ...initialGlobals, ...globals, scenario: 'story' }
  return (
    <main className="situations" lang="en" dir="ltr">
      <header>
        <h1>Situations and icons</h1>
        <p>
          What people see in each situation: one color, one icon and one sentence, in whichever component it happens. A
          note says where loading and sending differ. Waits are longer than in an app, so that none ends while you look.
        </p>
      </header>
      <nav aria-label="Situations">
        {situations.map(({ title }) => (
          // Storybook's page has `<base target="_parent">`, which would replace the playground.
          <a key={title} href={`#${anchorOf(title)}`} target="_self">
            {title}
          </a>
        ))}
      </nav>
      {situations.map((situation) => (
        <section key={situation.title} id={anchorOf(situation.title)} aria-label={situation.title}>
          <h2>{situation.title}</h2>
          {cellsOf(situation, labels).CategoryForm?.tone === 'warning' && (
            <p className="situation-note">What was sent may have gone through, so form and composer say so.</p>
          )}
          <div className="situation-cells">
            {components.map((component) => (
              <div key={component} data-cell={cellId(situation, component)}>
                <h3>{component}</h3>
                {component in cellsOf(situation, labels) ? (
                  <div {...languageOf(cellGlobals)}>
                    <StoryService parameters={{ ...wholeDay, ...situation.service(component) }} globals={cellGlobals}>
                      <SituationCell component={component} situation={situation} />
                    </StoryService>
                  </div>
                ) : (
                  <p className="situation-none">Does not occur here</p>
                )}
              </div>
            ))}
          </div>
        </section>
      ))}
    </main>
  )
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-')

export const cellId = ({ title }: Situation, component: ComponentName) => `${title} · ${component}`

interface SituationCellProps {
  readonly component: ComponentName
  readonly situation: Situation
}

/** One component in a situation. A form gets into it by itself: it is filled in and submitted. */
function SituationCell({ component, situation }: SituationCellProps): ReactElement {
  // The page has many of each; a screen reader tells them apart by the situation.
  const name = { 'aria-label': cellId(situation, component) }
  const root = useRef<HTMLDivElement>(null)
  useSubmit(root)
  if (component === 'CategoryList') return <CategoryList {...name} />
  if (component === 'RateLimitBadge') return <BadgeAfterRequests {...name} requests={situation.requests ?? 1} />
  if (component === 'ErrorNotice') return <FailedRead {...name} />
  return (
    <div ref={root}>{component === 'CategoryForm' ? <CategoryForm {...name} /> : <MessageComposer {...name} />}</div>
  )
}

/** Fills in the first field of a form and submits it, as a person does. */
function useSubmit(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const form = root.current?.querySelector('form')
    const field = form?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
    if (!form || !field) return undefined
    // The focus would scroll the page. Not by `=`: Storybook's setter would replace the `focus` of all elements.
    Object.defineProperty(field, 'focus', { value: () => {} })
    // Sets the value past the property that React puts on the field, or React would notice no change.
    Reflect.set(Object.getPrototypeOf(field), 'value', sample, field)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const timer = setTimeout(() => form.requestSubmit())
    return () => clearTimeout(timer)
  }, [root])
}

interface BadgeAfterRequestsProps {
  readonly requests: number
  readonly 'aria-label': string
}

function BadgeAfterRequests({ requests, ...name }: BadgeAfterRequestsProps): ReactElement {
  const client = usePetstoreClient()
  useEffect(() => {
    // POSTs, so that each is a request of its own: a GET would join the one before.
    for (let sent = 0; sent < requests; sent += 1) void client.createCategory({ name: sample }).catch(() => {})
  }, [client, requests])
  return <RateLimitBadge {...name} />
}

/** The notice of an app that loads categories through the client, without a hook. */
function FailedRead(name: Pick<BadgeAfterRequestsProps, 'aria-label'>): ReactElement | null {
  const client = usePetstoreClient()
  const [error, setError] = useState<PetstoreError>()
  useEffect(() => {
    client.listCategories().catch((reason: unknown) => isPetstoreError(reason) && setError(reason))
  }, [client])
  return error ? <ErrorNotice {...name} error={error} onRetry={() => {}} /> : null
}
