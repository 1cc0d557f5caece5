import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  CategoryForm,
  CategoryList,
  MessageComposer,
  type PetstoreError,
  PetstoreErrorBoundary,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
} from '../../src/index.ts'
import type { FailureContext } from '../../src/hooks/PetstoreProvider.tsx'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'
import { settled } from './renderHookOnService.tsx'

// React logs what boundaries catch.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const fail = async () => new Response(null, { status: 500 })

function renderBelow(children: ReactNode, fetch: (request: Request) => Promise<Response> = fail) {
  const onError = vi.fn<(error: PetstoreError, context: FailureContext) => void>()
  const options = { ...optionsFor({ fetch }), quickstartBaseUrl: 'https://quickstart.test' }
  const app = (handler = onError) => (
    <OwnCache>
      <PetstoreProvider {...options} onError={handler}>
        {children}
      </PetstoreProvider>
    </OwnCache>
  )
  const { rerender, unmount } = render(app())
  return {
    onError,
    unmount,
    rerender: (handler: typeof onError) => rerender(app(handler)),
    reports: () =>
      onError.mock.calls.map(([{ kind }, { operation, handled }]) => `${operation} ${kind} ${String(handled)}`),
  }
}

type QueryOptions = Parameters<typeof useCategories>[0]

/** Reads `data` only. */
function Rows(options: NonNullable<QueryOptions>) {
  return <p>{useCategories(options).data?.length ?? 'no rows'}</p>
}

function Failure() {
  return <p>{useCategories().error?.kind ?? 'no error'}</p>
}

test.each<[string, boolean, ReactNode]>([
  ['that nobody shows', false, <Rows key="rows" />],
  ['that a component reads', true, <Failure key="error" />],
  ['that another component with the same data reads', true, [<Rows key="rows" />, <Failure key="error" />]],
  ['that CategoryList shows', true, <CategoryList key="list" />],
])('a failed query %s is reported once, handled: %s', async (_, handled, children) => {
  const { reports } = renderBelow(children)
  await waitFor(() => expect(reports()).toEqual([`listCategories server ${String(handled)}`]))
  await settled()
  expect(reports()).toHaveLength(1)
})

test.each<[string, QueryOptions, boolean]>([
  ['throwOnError', { throwOnError: true }, true],
  ['throwOnError for this error', { throwOnError: ({ kind }) => kind === 'server' }, true],
  ['suspense', { suspense: true }, true],
  ['throwOnError for other errors', { throwOnError: ({ kind }) => kind === 'network' }, false],
])('with %s, a failed query is reported as handled: %s', async (_, options, handled) => {
  const { reports } = renderBelow(
    <PetstoreErrorBoundary fallback={() => <p>caught</p>}>
      <Suspense fallback={<p>suspended</p>}>
        <Rows {...options} />
      </Suspense>
    </PetstoreErrorBoundary>,
  )
  await waitFor(() => expect(reports()).toContain(`listCategories server ${String(handled)}`))
  expect(new Set(reports()).size).toBe(1)
})

function Creator({
  readsError = false,
  readsResult = false,
  ...options
}: Parameters<typeof useCreateCategory>[0] & { readsError?: boolean; readsResult?: boolean }) {
  const creation = useCreateCategory(options ?? {})
  return (
    <button
      type="button"
      onClick={async () => {
        const result = await creation.trigger({ name: 'Dog' })
        if (readsResult && result.error) return
      }}
    >
      {readsError ? creation.error?.kind : creation.status}
    </button>
  )
}

test.each<[string, Parameters<typeof Creator>[0], boolean]>([
  ['that nobody looks at', {}, false],
  ['with onError', { onError: () => {} }, true],
  ['whose error is read', { readsError: true }, true],
  ['whose result is read', { readsResult: true }, true],
])('a failed mutation %s is reported once, handled: %s', async (_, options, handled) => {
  const { reports } = renderBelow(<Creator {...options} />)
  fireEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(reports()).toEqual([`createCategory server ${String(handled)}`]))
})

test('failures that CategoryForm and MessageComposer show are handled', async () => {
  const { reports } = renderBelow([<CategoryForm key="form" />, <MessageComposer key="composer" />])
  const [name, , message] = screen.getAllByRole('textbox')
  for (const field of [name, message]) {
    const form = field?.closest('form')
    if (!field || !form) throw new Error('No form.')
    fireEvent.change(field, { target: { value: 'Dog' } })
    fireEvent.submit(form)
  }
  await waitFor(() => expect(reports().sort()).toEqual(['createCategory server true', 'sendMessage server true']))
})

test('the latest onError is called, and canceled calls are not reported', async () => {
  const { onError, rerender, unmount, reports } = renderBelow(<Creator />)
  const later = vi.fn<(error: PetstoreError, context: FailureContext) => void>()
  rerender(later)
  fireEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(later).toHaveBeenCalledTimes(1))
  expect(onError).not.toHaveBeenCalled()
  unmount()

  const second = renderBelow(<Rows />, noResponse)
  second.unmount()
  await settled()
  expect([...reports(), ...second.reports()]).toEqual([])
})
