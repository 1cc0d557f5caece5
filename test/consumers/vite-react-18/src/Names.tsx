import { useCategories, useCreateCategory } from 'petstore-react'

/** A user interface built with hooks only. */
export function Names() {
  const { data, error, isLoading, refresh } = useCategories()
  const { trigger, isMutating } = useCreateCategory()
  if (isLoading) return <p>Loading…</p>
  if (!data) return <button onClick={refresh}>Try again ({error?.kind})</button>
  return (
    <section aria-label="Names">
      <p>{data.map((category) => category.name).join(', ')}</p>
      <button aria-disabled={isMutating} onClick={() => void trigger({ name: 'Hamster' })}>
        Add hamster
      </button>
    </section>
  )
}
