import type { ReactElement } from 'react'

interface Row {
  readonly id: string | number
  readonly name: string
  readonly description?: string | undefined
}

interface PlainPageProps {
  readonly rows: readonly Row[] | undefined
  readonly error: Error | undefined
  readonly isCreating: boolean
  /** Rejects if the service did not create the category. */
  readonly create: (category: { name: string; description?: string }) => Promise<unknown>
}

/** The markup that an app writes around hooks. */
export function PlainPage({ rows, error, isCreating, create }: PlainPageProps): ReactElement {
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const textOf = (field: string) => {
      const value = fields.get(field)
      return typeof value === 'string' ? value : ''
    }
    const [name, description] = [textOf('name'), textOf('description')]
    try {
      await create(description ? { name, description } : { name })
      form.reset()
    } catch {
      // The page shows it as its error.
    }
  }
  return (
    <>
      <h1>Categories</h1>
      {error && <p role="alert">{error.message || error.name}</p>}
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
        <button aria-disabled={isCreating}>Create category</button>
      </form>
    </>
  )
}
