import { type CSSProperties, type ReactElement, type ReactNode, useState } from 'react'
import { PetstoreDevtoolsPanel } from '../../src/devtools/production.ts'
import {
  CategoryForm,
  CategoryList,
  CategoryManager,
  ErrorNotice,
  MessageComposer,
  PetstoreProvider,
  RateLimitBadge,
  RateLimitError,
  ServerError,
} from '../../src/index.ts'
import { createPetstoreService, type Fault, type PetstoreServiceOptions } from '../../src/testing.ts'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'

interface Specimen {
  readonly ui: ReactElement
  readonly service?: PetstoreServiceOptions
  /** How the service responds to each request. */
  readonly fault?: Fault
  /** Whether no response ever comes. */
  readonly isSilent?: boolean
  /** A selector that matches once the component is in its state. */
  readonly until: string
}

const call = { operation: 'createCategory', attempts: 1 } as const
const failure = new ServerError(call, {
  status: 500,
  body: { status: 500, code: 'internal', message: 'The database is not available.' },
})
const inAnHour = { status: 429, headers: { 'Retry-After': '3600' } }
const action = (
  <button type="button" className="petstore-button">
    Edit
  </button>
)

/** Every component, in the states that look different. A class tells `renderSpecimens` what a person does first. */
export const specimens: Readonly<Record<string, Specimen>> = {
  'rows with actions, of which one is selected': {
    ui: <CategoryList className="selects" selectionMode="multiple" actions={() => action} />,
    service: { categories: [{ name: 'Dog', description: 'Loyal, and always hungry' }, { name: 'Cat' }] },
    until: '[data-selected]',
  },
  'more rows than are shown': {
    ui: <CategoryList />,
    service: { categories: 201 },
    until: '.petstore-category-list-footer',
  },
  'no rows': {
    ui: <CategoryList emptyAction={action} />,
    service: { categories: [] },
    until: '.petstore-category-list-empty',
  },
  'rows that load': { ui: <CategoryList />, isSilent: true, until: '.petstore-skeleton-row' },
  'rows that failed': { ui: <CategoryList />, fault: { status: 500 }, until: '.petstore-error-notice' },
  'an empty form': { ui: <CategoryForm actions={action} />, until: 'input' },
  'a form with a problem': { ui: <CategoryForm className="submits" />, until: '[aria-invalid="true"]' },
  'a form that failed': {
    ui: <CategoryForm className="submits" defaultValues={{ name: 'Rabbit' }} />,
    fault: { status: 401 },
    until: '.petstore-error-notice',
  },
  'a form that has created': {
    ui: <CategoryForm className="submits" defaultValues={{ name: 'Rabbit' }} />,
    until: '.petstore-icon[data-tone="success"]',
  },
  'an empty composer': { ui: <MessageComposer maxLength={140} />, until: 'textarea' },
  'a composer with a problem': { ui: <MessageComposer className="submits" />, until: '[aria-invalid="true"]' },
  'a sent message': { ui: <MessageComposer className="sends" />, until: '[data-status="accepted"]' },
  'a message that failed': {
    ui: <MessageComposer className="sends" />,
    fault: { status: 401 },
    until: '.petstore-message-composer-advice',
  },
  'a full badge': {
    ui: (
      <>
        <RateLimitBadge />
        <CategoryList hidden />
      </>
    ),
    until: '.petstore-rate-limit-badge-fill',
  },
  'a badge in a cool-down': {
    ui: (
      <>
        <RateLimitBadge />
        <CategoryList hidden />
      </>
    ),
    fault: inAnHour,
    until: '.petstore-rate-limit-badge:has([data-tone="warning"])',
  },
  'a compact badge': { ui: <RateLimitBadge compact />, until: '.petstore-rate-limit-badge' },
  'a failure': {
    ui: <ErrorNotice error={failure} onRetry={() => {}} actions={action} />,
    until: '.petstore-error-notice-actions .petstore-button',
  },
  'a rate limit': {
    ui: <ErrorNotice error={new RateLimitError(call, Date.now() + 3_600_000)} onRetry={() => {}} />,
    until: '.petstore-error-notice',
  },
  'the manager': {
    ui: <CategoryManager headingLevel={2} />,
    service: { categories: 3 },
    until: '.petstore-category-list-row',
  },
  'the panel of the developer tools': { ui: <PetstoreDevtoolsPanel />, until: '.petstore-devtools-heading' },
}

interface SpecimensProps {
  /** The style of the elements around the components. */
  readonly style?: CSSProperties
  readonly names?: readonly string[]
}

/** The specimens on one page, each with a service of its own. */
export function Specimens({ style, names = Object.keys(specimens) }: SpecimensProps): ReactElement {
  return (
    <>
      {names.map((name) => (
        <div key={name} data-specimen={name} style={style}>
          <SpecimenService {...(specimens[name] ?? {})}>{specimens[name]?.ui}</SpecimenService>
        </div>
      ))}
    </>
  )
}

function SpecimenService({
  service: options = {},
  fault,
  isSilent = false,
  children,
}: Partial<Specimen> & { readonly children: ReactNode }): ReactElement {
  const [provided] = useState(() => {
    const service = createPetstoreService(options)
    if (fault) service.failNext(fault, 100)
    const { quickstartBaseUrl } = service
    return { ...optionsFor(isSilent ? { fetch: noResponse } : service), quickstartBaseUrl }
  })
  return (
    <OwnCache>
      <PetstoreProvider {...provided}>{children}</PetstoreProvider>
    </OwnCache>
  )
}
