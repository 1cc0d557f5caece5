import { cleanup, fireEvent, screen } from '@testing-library/react'
import { Component, type ReactElement, type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type PetstoreError,
  PetstoreErrorBoundary,
  type PetstoreErrorBoundaryProps,
  PetstoreProvider,
  useCategories,
  type UseCategoriesOptions,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { holdRequests, recordingClient, renderSuspending, settle, suspending } from './query.setup.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {})) // React logs what boundaries catch
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const dogs = () => createPetstoreService({ categories: [{ name: 'Dog' }] })

function Names(options: UseCategoriesOptions) {
  const { data, error, refresh } = useCategories(options)
  return (
    <button type="button" onClick={() => void refresh()}>
      {`${data?.map(({ name }) => name).join() ?? 'nothing yet'}, ${error?.kind ?? 'no error'}`}
    </button>
  )
}

type Failure = Parameters<PetstoreErrorBoundaryProps['fallback']>[0]

const retryButton = ({ error, reset }: Failure) => (
  <button type="button" onClick={reset}>
    try again after {error.kind}
  </button>
)

function Guard({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <PetstoreErrorBoundary fallback={retryButton}>
      <Suspense fallback="suspended">{children}</Suspense>
    </PetstoreErrorBoundary>
  )
}

/** The app's own boundary, for the errors of the app. */
class Outer extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override readonly state: { readonly message?: string } = {}
  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : 'unknown' }
  }
  override render() {
    return this.state.message === undefined ? this.props.children : <p>outer: {this.state.message}</p>
  }
}

const renderOn = (service: PetstoreService, ui: ReactElement) =>
  renderSuspending(<PetstoreProvider {...optionsFor(service)}>{ui}</PetstoreProvider>)
const press = (name: string | RegExp) => suspending(() => fireEvent.click(screen.getByRole('button', { name })))

async function expectText(text: string, count = 1): Promise<void> {
  await settle(() => screen.queryAllByText(text).length === count)
  expect(screen.getAllByText(text)).toHaveLength(count)
}

describe.each([
  ['throwOnError', { throwOnError: true }],
  ['suspense', { suspense: true }],
] as const)('%s', (_, options) => {
  test.each(['inside', 'outside'] as const)(
    'with the boundary %s the provider, reset sends a request and shows the data',
    async (place) => {
      const service = dogs()
      service.failNext({ status: 500 })
      const guarded = (
        <Guard>
          <Names {...options} />
        </Guard>
      )
      const settings = optionsFor(service)
      await renderSuspending(
        place === 'inside' ? (
          <PetstoreProvider {...settings}>{guarded}</PetstoreProvider>
        ) : (
          <Guard>
            <PetstoreProvider {...settings}>
              <Names {...options} />
            </PetstoreProvider>
          </Guard>
        ),
      )
      await expectText('try again after server')
      await press(/try again/)
      await expectText('Dog, no error')
      expect(service.requests.map(({ status }) => status)).toEqual([500, 200])
    },
  )

  test('reset also recovers other components that show the failure, and loads nothing else', async () => {
    const service = dogs()
    const other = dogs()
    service.failNext({ status: 500 })
    const { fetch, release } = holdRequests(service.fetch)
    await renderSuspending(
      <PetstoreProvider {...optionsFor({ fetch })}>
        <Names />
        <Guard>
          <Names {...options} />
        </Guard>
        <PetstoreProvider {...optionsFor(other)}>
          <Names />
        </PetstoreProvider>
      </PetstoreProvider>,
    )
    await suspending(release)
    await expectText('try again after server')
    await expectText('nothing yet, server')
    await press(/try again/)
    await expectText('Dog, no error', 3)
    expect(other.requests).toHaveLength(1)
    expect(service.requests.map(({ status }) => status)).toEqual([500, 200])
  })
})

describe('throwOnError', () => {
  const guardedNames = (options: UseCategoriesOptions) => (
    <Guard>
      <Names {...options} />
    </Guard>
  )

  test('can select the errors to throw', async () => {
    const service = dogs()
    const kinds: string[] = []
    const throwOnError = ({ kind }: PetstoreError) => {
      kinds.push(kind)
      return kind === 'network'
    }
    await renderOn(service, guardedNames({ throwOnError }))
    await expectText('Dog, no error')
    service.failNext({ status: 500 })
    await press(/Dog/)
    await expectText('Dog, server')
    service.failNext({ connection: 'lost-before' })
    await press(/Dog/)
    await expectText('try again after network')
    expect(new Set(kinds)).toEqual(new Set(['server', 'network']))
  })

  test.each(['ok', 'low'] as const)(
    'with data in the cache, reset sends a request with user priority (quota %s)',
    async (status) => {
      const service = dogs()
      const { client, priorities, setQuota } = recordingClient(service)
      await renderSuspending(
        <PetstoreProvider client={client}>{guardedNames({ throwOnError: true })}</PetstoreProvider>,
      )
      await expectText('Dog, no error')
      service.failNext({ status: 500 })
      await press(/Dog/)
      await expectText('try again after server')
      setQuota(status)
      await press(/try again/)
      await expectText('Dog, no error')
      await settle(() => service.requests.length === 3)
      expect(service.requests.map((entry) => entry.status)).toEqual([200, 500, 200])
      expect(priorities).toEqual(['user', 'user', 'user'])
    },
  )
})

describe('the boundary', () => {
  test('does not catch errors that are not of this package', async () => {
    function Broken(): never {
      throw new Error('the mistake of the app')
    }
    await renderSuspending(
      <Outer>
        <Guard>
          <Broken />
        </Guard>
      </Outer>,
    )
    expect(screen.getByText('outer: the mistake of the app')).toBeDefined()
  })
})
