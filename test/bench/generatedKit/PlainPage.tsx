import type { ReactElement } from 'react'

interface Row {
  readonly id: string | number
  readonly name: string
  readonly description?: string | undefined
}

interface PlainPageProps {
  readonly rows: readonly Row[] | undefined
  readonly problem: Error | undefined
  readonly isSending: boolean
  /** Rejects when nothing was created. */
  readonly create: (category: { name: string; description?: string }) => Promise<unknown>
}

/** What an app writes by hand around hooks. */
export function PlainPage({ rows, problem, isSending, create }: PlainPageProps): ReactElement {
  const submit = async (form: HTMLFormElement) => {
    const entered = new FormData(form)
    const textOf = (field: string) => {
      const value = entered.get(field)
      return typeof value === 'string' ? value : ''
    }
    const [name, description] = [textOf('name'), textOf('description')]
    try {
      await create(description ? { name, description } : { name })
      form.reset()
    } catch {
      // Shown as the problem.
    }
  }
  return (
    <>
      <h1>Categories</h1>
      {problem && <p role="alert">{problem.message || problem.name}</p>}
      {rows ? (
        <ul>
          {rows.map(({ id, name, description }) => (
            <li key={id}>
              <strong>{name}</strong> {description}
            </li>
          ))}
        </ul>
      ) : (
        <p>Loading…</p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <label>
          Name <input name="name" required />
        </label>
        <label>
          Description <input name="description" />
        </label>
        <button aria-disabled={isSending}>Create category</button>
      </form>
    </>
  )
}
