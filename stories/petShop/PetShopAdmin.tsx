import { type ReactElement, Suspense } from 'react'
import {
  CategoryManager,
  ErrorNotice,
  MessageComposer,
  PetstoreErrorBoundary,
  type PetstoreErrorBoundaryProps,
  RateLimitBadge,
} from '../../src/index.ts'
import { CategoryFigures } from './CategoryFigures.tsx'
import './PetShop.css'

const showFailure: PetstoreErrorBoundaryProps['fallback'] = ({ error, reset }) => (
  <ErrorNotice error={error} onRetry={reset} />
)

/**
 * A whole page of everything: `CategoryManager`, `MessageComposer`, a compact `RateLimitBadge` in the header, and an
 * `ErrorNotice` in a `PetstoreErrorBoundary`. They share one request for the list, and one quota. Choose a "Scenario" in
 * the toolbar, and see how the page bears it.
 */
export function PetShopAdmin(): ReactElement {
  return (
    <div className="pet-shop">
      <header className="pet-shop-header">
        <h1>
          <bdi>Paws &amp; Co.</bdi>
        </h1>
        <RateLimitBadge compact />
      </header>
      <main className="pet-shop-columns">
        <section className="pet-shop-part" aria-labelledby="pet-shop-range">
          <h2 id="pet-shop-range">What we sell</h2>
          {/* Around all that needs the list, so that a failure is told once. */}
          <PetstoreErrorBoundary fallback={showFailure}>
            <Suspense fallback={<p>Counting the animals…</p>}>
              <CategoryFigures />
              <CategoryManager list={{ order: 'name' }} />
            </Suspense>
          </PetstoreErrorBoundary>
        </section>
        <section className="pet-shop-part" aria-labelledby="pet-shop-suppliers">
          <h2 id="pet-shop-suppliers">Tell the suppliers</h2>
          <MessageComposer aria-label="Message to the suppliers" maxLength={280} />
        </section>
      </main>
    </div>
  )
}
