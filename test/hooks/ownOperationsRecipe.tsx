import { defineOperation, int64, usePetstoreMutation, usePetstoreQuery } from '../../src/index.ts'
import * as z from 'zod/mini'

const toy = z.object({ id: int64, name: z.string() })

export const listToys = defineOperation({ name: 'listToys', path: '/toys', output: z.array(toy) })

export const removeToy = defineOperation({
  name: 'removeToy',
  method: 'DELETE',
  path: '/toys/{toyId}',
  input: z.object({ toyId: z.string() }),
  output: z.undefined(), // the service responds without a body
})

export function Toys() {
  const { data: toys, error, isLoading, refresh } = usePetstoreQuery(listToys)
  if (isLoading) return <p>Loading…</p>
  if (!toys) return <button onClick={() => void refresh()}>Try again ({error?.kind})</button>
  return (
    <ul>
      {toys.map(({ id, name }) => (
        <li key={id}>
          {name} <RemoveToy toyId={id} />
        </li>
      ))}
    </ul>
  )
}

function RemoveToy({ toyId }: { toyId: string }) {
  const { trigger, isMutating, error } = usePetstoreMutation(removeToy, { invalidates: [listToys] })
  return (
    <>
      <button aria-disabled={isMutating} onClick={() => isMutating || void trigger({ toyId })}>
        Remove
      </button>
      {error && <span role="alert">Not removed: {error.kind}</span>}
    </>
  )
}
