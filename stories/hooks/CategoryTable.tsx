import type { ReactElement, SubmitEvent } from 'react'
import { useCategories, useCreateCategory, usePendingCategories } from '../../src/index.ts'

/**
 * A table built on `useCategories`, `useCreateCategory` and `usePendingCategories`. A new category appears at once, and
 * disappears if the service refuses it.
 */
export function CategoryTable(): ReactElement {
  const { data = [], error, isLoading, refresh } = useCategories()
  const pending = usePendingCategories()
  const creation = useCreateCategory({ optimistic: true })

  async function handleSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (creation.isMutating) return
    const form = event.currentTarget
    const name = new FormData(form).get('name')
    // Only success clears the form, so that nobody has to type a name twice.
    if (typeof name !== 'string') return
    const result = await creation.trigger({ name })
    if (!result.error) form.reset()
  }

  return (
    <>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <label>
          Name
          <input name="name" required readOnly={creation.isMutating} autoComplete="off" />
        </label>
        <button type="submit" aria-disabled={creation.isMutating}>
          Add
        </button>
      </form>
      {creation.error && (
        <p role="alert">
          {creation.error.outcome === 'unknown'
            ? 'It may have been added. Refresh before you try again.'
            : 'Not added. Try again.'}
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
              <td>Creating…</td>
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
