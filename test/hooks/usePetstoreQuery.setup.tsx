import { fireEvent, screen } from '@testing-library/react'
import { usePetstoreQuery, type UsePetstoreQueryOptions } from '../../src/index.ts'
import { createSearchService, recordingClient, renderOnClient, search, settle } from './query.setup.tsx'

export type SearchOptions = UsePetstoreQueryOptions<readonly string[]>

/** The text of every render, including those that never reach the screen. */
export const texts: string[] = []

export function Found({ term, ...options }: SearchOptions & { readonly term: string | null }) {
  const found = usePetstoreQuery(search, term === null ? null : { term }, options)
  const { data, error, isLoading, isValidating } = found
  const state = isLoading ? 'loading' : isValidating ? 'validating' : 'idle'
  const text = `${data?.join() ?? 'nothing'}, ${error?.kind ?? 'well'}, ${state}`
  texts.push(text)
  return (
    <button type="button" onClick={() => void found.refresh()}>
      {text}
    </button>
  )
}

export const shown = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const button = () => screen.getAllByRole('button')[0] as HTMLElement
export const refresh = () => fireEvent.click(button())
/** Sends a background request. */
export const mutate = () => fireEvent.doubleClick(button())

/** Renders `count` components, and waits for the first response. */
export async function renderFound(
  options: SearchOptions & { readonly count?: number } = {},
  service = createSearchService(),
) {
  const { count = 1, ...rest } = options
  const { client, ...recorded } = recordingClient(service)
  const ui = (props: SearchOptions) => (
    <>
      {Array.from({ length: count }, (_, index) => (
        <Found key={index} term="dog" {...props} />
      ))}
    </>
  )
  const view = renderOnClient(ui(rest), client)
  await settle(() => service.requests[0]?.status !== undefined)
  return { ...recorded, ...view, client, service, rerenderFound: (props: SearchOptions) => view.rerender(ui(props)) }
}
