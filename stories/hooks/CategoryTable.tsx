import type { ReactElement, SubmitEvent } from 'react'
import { useCategories, useCreateCategory, usePendingCategories } from '../../src/index.ts'

/**
 * A table on `useCategories`, `useCreateCategory` and `usePendingCategories`. A new category shows at once, and is gone
 * again if it could not be created.
 */
export function CategoryTable(): ReactElement {
  const { data = [], error, isLoading, refresh } = useCategories()
  const pending = usePendingCategories()
  const adding = useCreateCategory({ optimistic: true, throwOnError: false })

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (adding.isMutating) return
    const form = event.currentTarget
    const name = new FormData(form).get('name')
    // Cleared by success only, so that nothing typed is lost.
    if (typeof name === 'string' && (await adding.trigger({ name }))) form.reset()
  }

  return (
    <>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Name
          <input name="name" required readOnly={adding.isMutating} autoComplete="off" />
        </label>
        <button type="submit" aria-disabled={adding.isMutating}>
          Add
        </button>
      </form>
      {adding.error && (
        <p role="alert">
          {adding.error.outcome === 'unknown'
            ? 'It may have been added all the same: refresh before you try again.'
            : 'It was not added. Try again.'}
        </p>
      )}
      {error && <p role="alert">The categories could not be loaded.</p>}
      <table aria-busy={isLoading}>
        <caption>Categories</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ id, name, description }) => (
            <tr key={id}>
              <td dir="auto">{name}</td>
              <td dir="auto">{description}</td>
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
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </>
  )
}
