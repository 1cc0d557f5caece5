import { type ReactElement, Suspense } from 'react'
import { PetstoreErrorBoundary, type PetstoreErrorBoundaryProps, useCategories } from '../../src/index.ts'

/** Written as if the data were always there. */
function Names(): ReactElement {
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

const showFailure: PetstoreErrorBoundaryProps['fallback'] = ({ error, reset }) => (
  <>
    <p role="alert">{error.kind === 'network' ? 'You seem to be offline.' : `That did not work (${error.kind}).`}</p>
    <button type="button" onClick={reset}>
      Try again
    </button>
  </>
)

/**
 * `useCategories({ suspense: true })`: while the data are not there, others speak, `Suspense` of the wait and
 * `PetstoreErrorBoundary` of the failure.
 */
export function SuspendingNames(): ReactElement {
  return (
    <PetstoreErrorBoundary fallback={showFailure}>
      <Suspense fallback={<p>Loading…</p>}>
        <Names />
      </Suspense>
    </PetstoreErrorBoundary>
  )
}
