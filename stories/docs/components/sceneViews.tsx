import { type ReactElement, type ReactNode, useEffect } from 'react'
import { alwaysFail, neverRespond, wholeDay } from '../../../.storybook/faults.ts'
import type { ServiceParameters } from '../../../.storybook/StoryService.tsx'
import { checkCircle, Icon } from '../../../src/components/Icon.tsx'
import {
  AuthenticationError,
  type Category,
  CategoryForm,
  CategoryList,
  CategoryManager,
  ErrorNotice,
  MessageComposer,
  RateLimitBadge,
  RateLimitError,
  ServerError,
  usePetstoreClient,
} from '../../../src/index.ts'
import { createRefusingClient } from '../../support/clientWith.ts'
import { heldBack } from '../../support/heldBack.ts'

/** A class for each part. */
type PartClasses = Readonly<Record<string, string>>

/** How a picture is made. */
export interface SceneView {
  readonly render: (classNames: PartClasses) => ReactElement
  readonly service?: ServiceParameters
  /** Brings the component into its state, once it is in the page. */
  readonly act?: (picture: HTMLElement) => void
}

const submit = (picture: HTMLElement) => picture.querySelector('form')?.requestSubmit()

function send(picture: HTMLElement): void {
  write(picture.querySelector('textarea'), 'Do you have rabbits?')
  submit(picture)
}

const call = { operation: 'createCategory', attempts: 1 } as const
const body = { status: 500, code: 'internal', message: 'The database is not available.' }

const categoryActions = ({ name }: Category): ReactNode => (
  <button type="button" className="petstore-button" aria-label={`Edit ${name}`}>
    Edit
  </button>
)

const failedForm: SceneView = {
  service: { prepare: alwaysFail({ status: 401 }) },
  render: (classNames) => <CategoryForm classNames={classNames} defaultValues={{ name: 'Rabbit' }} />,
  act: submit,
}

const pausedBadge: SceneView = {
  service: { prepare: alwaysFail({ status: 429, headers: { 'Retry-After': '3600' } }) },
  render: (classNames) => <BadgeAfterRequest classNames={classNames} />,
}

/** The pictures of the parts, by the name of the component and their titles. */
export const sceneViews: Readonly<Record<string, SceneView>> = {
  'CategoryList/Rows': {
    service: { categories: [{ name: 'Dog', description: 'Loyal, and always hungry' }, { name: 'Cat' }] },
    render: (classNames) => <CategoryList classNames={classNames} actions={categoryActions} />,
  },
  'CategoryList/More than 200 rows': {
    service: { categories: 450 },
    render: (classNames) => <CategoryList classNames={classNames} />,
  },
  'CategoryList/No categories': {
    service: { categories: [] },
    render: (classNames) => <CategoryList classNames={classNames} />,
  },
  'CategoryList/Loading': { service: neverRespond, render: (classNames) => <CategoryList classNames={classNames} /> },
  'CategoryForm/Empty form': { render: (classNames) => <CategoryForm classNames={classNames} /> },
  'CategoryForm/Several problems': {
    service: { createClient: createRefusingClient },
    render: (classNames) => <CategoryForm classNames={classNames} defaultValues={{ name: 'Rabbit' }} />,
    act: submit,
  },
  'CategoryForm/Failed': failedForm,
  'CategoryForm/Waiting for the request limit': {
    service: heldBack(3_600),
    render: (classNames) => <CategoryForm classNames={classNames} defaultValues={{ name: 'Rabbit' }} />,
    act: submit,
  },
  'CategoryForm/Created, but not in view': {
    service: { categories: 250 },
    render: (classNames) => (
      <>
        <CategoryForm classNames={classNames} defaultValues={{ name: 'Rabbit' }} />
        {/* Shows 200 of 251 rows, so the new one is out of view. The list itself is not in the picture. */}
        <div hidden>
          <CategoryList />
        </div>
      </>
    ),
    act: submit,
  },
  'CategoryManager/The three components': {
    service: wholeDay,
    render: ({ list, form, badge }) => (
      <CategoryManager list={{ className: list }} form={{ className: form }} badge={{ className: badge }} />
    ),
  },
  'MessageComposer/Write a message': {
    render: (classNames) => <MessageComposer classNames={classNames} maxLength={140} />,
  },
  'MessageComposer/Rejected text': { render: (classNames) => <MessageComposer classNames={classNames} />, act: submit },
  'MessageComposer/Outbox': {
    service: { apiKey: 'expired' },
    render: (classNames) => <MessageComposer classNames={classNames} />,
    act: send,
  },
  'RateLimitBadge/Full': { service: wholeDay, render: (classNames) => <BadgeAfterRequest classNames={classNames} /> },
  'ErrorNotice/Failure': {
    render: (classNames) => (
      <ErrorNotice classNames={classNames} error={new ServerError(call, { status: 500, body })} onRetry={() => {}} />
    ),
  },
}

/** The pictures of what to do and what not to do, by the name of the component. */
export const adviceViews: Readonly<Record<string, SceneView>> = {
  'CategoryForm/do': failedForm,
  "CategoryForm/don't": {
    render: () => (
      <div className="advice-stack">
        <CategoryForm />
        <ErrorNotice error={new AuthenticationError(call, { status: 401, body: undefined })} onRetry={() => {}} />
      </div>
    ),
  },
  'CategoryList/do': { service: neverRespond, render: () => <CategoryList /> },
  "CategoryList/don't": { render: () => <p dir="auto">Loading…</p> },
  'CategoryManager/do': { service: { categories: [] }, render: () => <CategoryManager /> },
  "CategoryManager/don't": { service: { categories: [] }, render: () => <CategoryList /> },
  'ErrorNotice/do': {
    render: () => <ErrorNotice error={new RateLimitError(call, Date.now() + 600_000)} onRetry={() => {}} />,
  },
  "ErrorNotice/don't": {
    render: () => (
      <>
        <p className="advice-alarm">Error 429: Too Many Requests</p>
        <button className="petstore-button">Try again</button>
      </>
    ),
  },
  'MessageComposer/do': { render: () => <MessageComposer />, act: send },
  "MessageComposer/don't": {
    render: () => (
      <div className="advice-stack">
        <strong>
          <Icon path={checkCircle} tone="success" /> Your message was delivered!
        </strong>
        <MessageComposer />
      </div>
    ),
    act: send,
  },
  'RateLimitBadge/do': pausedBadge,
  "RateLimitBadge/don't": {
    render: () => (
      <p>
        API requests <span className="advice-dot" />
      </p>
    ),
  },
}

function BadgeAfterRequest({ classNames }: { readonly classNames: PartClasses }): ReactElement {
  const client = usePetstoreClient()
  useEffect(() => {
    // A failure is no problem: the badge shows it.
    client.listCategories().catch(() => {})
  }, [client])
  return <RateLimitBadge classNames={classNames} />
}

/** Writes into a field that React controls, as a person would. */
function write(field: HTMLTextAreaElement | null, text: string): void {
  // Past the property that React puts on the field, or React would notice no change.
  Reflect.set(HTMLTextAreaElement.prototype, 'value', text, field)
  field?.dispatchEvent(new Event('input', { bubbles: true }))
}
