import { type ReactElement, Suspense } from 'react'
import { PetstoreErrorBoundary, type PetstoreErrorBoundaryProps, useCategories } from '../../src/index.ts'

/** Reads the data without a loading or an error state. */
function CategoryNames(): ReactElement {
  const { data } = useCategories({ suspense: true })
  return (
    <ul aria-label="Categories">
      {data.map(({ id, name }) => (
        <li key={id} dir="auto">
          {name}
        </li>
      ))}
    </ul>
  )
}

const renderError: PetstoreErrorBoundaryProps['fallback'] = ({ error, reset }) => (
  <>
    <p role="alert">{error.kind === 'network' ? 'You seem to be offline.' : `Something went wrong (${error.kind}).`}</p>
    <button type="button" onClick={reset}>
      Try again
    </button>
  </>
)

/**
 * `useCategories({ suspense: true })`: `Suspense` shows the loading state, and `PetstoreErrorBoundary` shows the error.
 */
export function SuspendingNames(): ReactElement {
  return (
    <PetstoreErrorBoundary fallback={renderError}>
      <Suspense fallback={<p>Loading…</p>}>
        <CategoryNames />
      </Suspense>
    </PetstoreErrorBoundary>
  )
}
