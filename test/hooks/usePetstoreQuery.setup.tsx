import { fireEvent, screen } from '@testing-library/react'
import { usePetstoreQuery, type UsePetstoreQueryOptions } from '../../src/index.ts'
import { createSearchService, recordingClient, renderOnClient, search, settle } from './query.setup.tsx'

export type SearchOptions = UsePetstoreQueryOptions<readonly string[]>

/** The text of every render, including those that never reach the screen. */
export const texts: string[] = []

/** Shows a search as `dog 1, no error, idle`: its data, the kind of its error, and whether it loads. */
export function Found({ term, ...options }: SearchOptions & { readonly term: string | null }) {
  const found = usePetstoreQuery(search, term === null ? null : { term }, options)
  const { data, error, isLoading, isValidating } = found
  const state = isLoading ? 'loading' : isValidating ? 'validating' : 'idle'
  const text = `${data?.join() ?? 'nothing'}, ${error?.kind ?? 'no error'}, ${state}`
  texts.push(text)
  return (
    <button type="button" onClick={() => void found.refresh()}>
      {text}
    </button>
  )
}

export const shown = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
export const refresh = () => fireEvent.click(screen.getAllByRole('button')[0] as HTMLElement)

/** Renders a query, and waits for the first response. */
export async function renderFound(options: SearchOptions = {}, service = createSearchService()) {
  const { client, ...recorded } = recordingClient(service)
  const ui = (props: SearchOptions) => <Found term="dog" {...props} />
  const view = renderOnClient(ui(options), client)
  await settle(() => service.requests[0]?.status !== undefined)
  return { ...recorded, ...view, client, service, rerenderFound: (props: SearchOptions) => view.rerender(ui(props)) }
}
