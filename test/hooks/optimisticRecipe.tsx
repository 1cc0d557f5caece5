import { defineOperation, usePetstoreMutation, usePetstoreQuery } from '../../src/index.ts'
import * as z from 'zod/mini'

const toy = z.object({ toyId: z.string(), name: z.string() })
export const listToys = defineOperation({ name: 'listToys', path: '/toys', output: z.array(toy) })
export const renameToy = defineOperation({
  name: 'renameToy',
  method: 'PUT',
  path: '/toys/{toyId}',
  input: toy,
  output: toy,
})

export function Toys() {
  const { data: toys = [], mutate } = usePetstoreQuery(listToys)
  const { trigger, error } = usePetstoreMutation(renameToy)

  function rename(toyId: string, name: string) {
    const renamed = toys.map((row) => (row.toyId === toyId ? { ...row, name } : row))
    // Shows the new name at once and the old one again after a failure. Then loads the list, in the background.
    mutate(
      trigger({ toyId, name }).then(({ error: failure }) => (failure ? Promise.reject(failure) : renamed)),
      { optimisticData: renamed },
    ).catch(() => {})
  }

  return (
    <>
      {toys.map(({ toyId, name }) => (
        <button key={toyId} onClick={() => rename(toyId, `${name}!`)}>
          {name}
        </button>
      ))}
      {error && <p role="alert">{error.kind}</p>}
    </>
  )
}
