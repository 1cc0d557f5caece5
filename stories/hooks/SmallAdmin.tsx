import { type ReactElement, type SubmitEvent, useActionState, useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  type CallOutcome,
  Countdown,
  defineOperation,
  isPetstoreError,
  type MutationCall,
  type NewMessage,
  type PetstoreError,
  useCategories,
  useCreateCategory,
  usePendingCategories,
  usePetstoreQuery,
  useRateLimit,
  useSendMessage,
} from '../../src/index.ts'

/** An operation of the app's own, which goes through the same gate. */
export const getFigure = defineOperation({
  name: 'getFigure',
  path: '/figures/{name}',
  input: z.object({ name: z.string() }),
  output: z.object({ value: z.number() }),
})

const figures = ['Visitors', 'Orders', 'Revenue', 'Returns', 'Rabbits', 'Fish', 'Birds', 'Open tickets']

interface WaitProps {
  readonly until: number
  readonly what: string
}

/** "Will be sent in 42 seconds." */
const Wait = ({ until, what }: WaitProps): ReactElement => (
  <Countdown until={until} label={(wait, time) => `${what} ${time ?? `in ${wait}`}.`} />
)

function readText(form: FormData, field: string): string {
  const value = form.get(field)
  return typeof value === 'string' ? value : ''
}

const formatTime = (epoch: number) => new Date(epoch).toLocaleTimeString()

/** A small admin with hooks alone: a table, a dialog that creates, an outbox, and eight figures that poll. */
export function SmallAdmin(): ReactElement {
  return (
    <>
      <Quota />
      <Categories />
      <Outbox />
      <Figures />
    </>
  )
}

function Quota(): ReactElement {
  const { limit, remaining, retryAt } = useRateLimit()
  const quota = remaining === undefined ? 'Checking the quota…' : `${remaining} of ${limit} requests left`
  return <p>{retryAt === undefined ? quota : <Wait until={retryAt} what="Paused. Resumes" />}</p>
}

function Categories(): ReactElement {
  const { data = [], error, wait: loading, dataUpdatedAt, isValidating, refresh } = useCategories()
  const pending = usePendingCategories()
  const updated = dataUpdatedAt === undefined ? 'Loading…' : `As of ${formatTime(dataUpdatedAt)}`
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <CreateDialog />
      <table aria-labelledby="categories" aria-busy={isValidating}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ id, name }) => (
            <tr key={id}>
              <td dir="auto">{name}</td>
              <td>Saved</td>
            </tr>
          ))}
          {pending.map(({ key, name }) => (
            <tr key={key}>
              <td dir="auto">{name}</td>
              <td>Saving…</td>
            </tr>
          ))}
        </tbody>
      </table>
      {error && <p role="alert">The categories could not be loaded.</p>}
      <p>{loading ? <Wait until={loading.until} what="Will load" /> : updated}</p>
      <button type="button" aria-disabled={isValidating} onClick={() => void refresh()}>
        Refresh
      </button>
    </section>
  )
}

interface Draft {
  readonly name: string
  readonly error?: PetstoreError | undefined
}

function CreateDialog(): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const { trigger, wait: creating, cancel } = useCreateCategory({ optimistic: true })

  const [draft, create, isPending] = useActionState(
    async (_last: Draft, form: FormData): Promise<Draft> => {
      const name = readText(form, 'name')
      const { error } = await trigger({ name })
      // A canceled call is no failure.
      if (error) return { name, error: isPetstoreError(error) ? error : undefined }
      dialog.current?.close()
      return { name: '' }
    },
    { name: '' },
  )

  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        New category
      </button>
      <dialog ref={dialog} aria-labelledby="new-category" onClose={cancel}>
        <h3 id="new-category">New category</h3>
        {/* React would queue a second submit, by Enter or a double click, and create the category twice. */}
        <form action={create} onSubmit={(event) => isPending && event.preventDefault()}>
          <label>
            Name
            <input name="name" required defaultValue={draft.name} readOnly={isPending} autoComplete="off" />
          </label>
          <button type="submit" aria-disabled={isPending}>
            {isPending ? 'Creating…' : 'Create'}
          </button>
          <button type="button" onClick={() => (isPending ? cancel() : dialog.current?.close())}>
            Cancel
          </button>
        </form>
        {creating && (
          <p>
            <Wait until={creating.until} what="Will be created" />
          </p>
        )}
        {draft.error && !isPending && (
          <p role="alert">
            {draft.error.outcome === 'not-applied'
              ? 'Not created. Try again.'
              : 'It may have been created. Check the list before you try again.'}
          </p>
        )}
      </dialog>
    </>
  )
}

/** The hook forgets a call once it has ended, so the app keeps the failed ones. */
interface Failure {
  readonly id: number
  readonly message: string
  readonly outcome: CallOutcome
}

function Outbox(): ReactElement {
  const field = useRef<HTMLInputElement>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const { trigger, calls, status } = useSendMessage({
    onError: ({ outcome }, { message }) =>
      setFailures((earlier) => [...earlier, { id: (earlier.at(-1)?.id ?? 0) + 1, message, outcome }]),
  })

  function handleSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    void trigger({ message: readText(new FormData(event.currentTarget), 'message') })
    event.currentTarget.reset()
  }

  function remove(failure: Failure): void {
    field.current?.focus() // the button with the focus disappears
    setFailures((earlier) => earlier.filter(({ id }) => id !== failure.id))
  }

  return (
    <section aria-labelledby="outbox">
      <h2 id="outbox">Outbox</h2>
      <form onSubmit={handleSubmit}>
        <label>
          Message
          <input ref={field} name="message" required autoComplete="off" />
        </label>
        <button type="submit">Send</button>
      </form>
      <ul className="example-list" aria-labelledby="outbox">
        {calls.map((call) => (
          <Sending key={call.id} call={call} onCancel={() => field.current?.focus()} />
        ))}
        {failures.map((failure) => (
          <li key={failure.id}>
            <b dir="auto">{failure.message}</b>
            <span>{failure.outcome === 'not-applied' ? 'Not sent.' : 'It may have been sent.'}</span>
            <button
              type="button"
              onClick={() => {
                remove(failure)
                void trigger({ message: failure.message })
              }}
            >
              {failure.outcome === 'not-applied' ? 'Send again' : 'Send again anyway'}
            </button>
            <button type="button" onClick={() => remove(failure)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
      <output>{status === 'success' && 'The service accepted the message.'}</output>
    </section>
  )
}

interface SendingProps {
  readonly call: MutationCall<NewMessage>
  readonly onCancel: () => void
}

function Sending({ call, onCancel }: SendingProps): ReactElement {
  return (
    <li>
      <b dir="auto">{call.variables.message}</b>
      <span>{call.wait ? <Wait until={call.wait.until} what="Will be sent" /> : 'Sending…'}</span>
      <button
        type="button"
        onClick={() => {
          onCancel()
          call.cancel()
        }}
      >
        Cancel
      </button>
    </li>
  )
}

function Figures(): ReactElement {
  const [isLive, setLive] = useState(true)
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      <label>
        <input type="checkbox" checked={isLive} onChange={() => setLive(!isLive)} /> Update every 15 seconds
      </label>
      <dl className="example-figures">
        {figures.map((name) => (
          <Figure key={name} name={name} isLive={isLive} />
        ))}
      </dl>
    </section>
  )
}

function Figure({ name, isLive }: { readonly name: string; readonly isLive: boolean }): ReactElement {
  const {
    data,
    error,
    wait: loading,
    dataUpdatedAt,
    isPollingPaused,
  } = usePetstoreQuery(getFigure, { name }, { enabled: isLive, refreshInterval: 15_000 })
  const updated = dataUpdatedAt === undefined ? '' : `As of ${formatTime(dataUpdatedAt)}`
  const state = isPollingPaused ? 'Paused: few requests left' : error ? 'Not updated' : updated
  return (
    <div>
      <dt>{name}</dt>
      <dd>{data?.value ?? '–'}</dd>
      <dd>{loading ? <Wait until={loading.until} what="Updates" /> : state}</dd>
    </div>
  )
}
