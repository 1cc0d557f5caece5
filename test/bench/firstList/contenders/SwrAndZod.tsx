import useSWR from 'swr'
import * as z from 'zod/mini'
import { render } from './render.tsx'
import { Rows } from './Rows.tsx'

const categories = z.array(z.object({ id: z.number(), name: z.string(), description: z.optional(z.string()) }))

async function load(path: string) {
  const response = await fetch(path, { headers: { Authorization: 'Bearer demo' } })
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`)
  return categories.parse(await response.json())
}

function Page() {
  const { data = [] } = useSWR('/v1/categories', load)
  return <Rows rows={data} />
}

render(<Page />)
