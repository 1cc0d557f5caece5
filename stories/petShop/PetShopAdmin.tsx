import { type ReactElement, Suspense } from 'react'
import {
  CategoryManager,
  ErrorNotice,
  MessageComposer,
  PetstoreErrorBoundary,
  type PetstoreErrorBoundaryProps,
  RateLimitBadge,
} from '../../src/index.ts'
import { CategoryStats } from './CategoryStats.tsx'
import './PetShop.css'

/**
 * A whole page: `CategoryManager`, `MessageComposer`, a compact `RateLimitBadge` in the header, and an `ErrorNotice` in a
 * `PetstoreErrorBoundary`. They share one request for the list, and one request limit. Choose a “Scenario” in the toolbar
 * to see how the page handles it.
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
        <CategoriesSection />
        <SuppliersSection />
      </main>
    </div>
  )
}

function CategoriesSection(): ReactElement {
  return (
    <section className="pet-shop-section" aria-labelledby="pet-shop-categories">
      <h2 id="pet-shop-categories">What we sell</h2>
      {/* One boundary around everything that loads the list, so that people see one notice. */}
      <PetstoreErrorBoundary fallback={renderError}>
        <Suspense fallback={<p>Loading…</p>}>
          <CategoryStats />
          <CategoryManager list={{ order: 'name' }} />
        </Suspense>
      </PetstoreErrorBoundary>
    </section>
  )
}

const renderError: PetstoreErrorBoundaryProps['fallback'] = ({ error, reset }) => (
  <ErrorNotice error={error} onRetry={reset} />
)

function SuppliersSection(): ReactElement {
  return (
    <section className="pet-shop-section" aria-labelledby="pet-shop-suppliers">
      <h2 id="pet-shop-suppliers">Message your suppliers</h2>
      <MessageComposer aria-label="Message to the suppliers" maxLength={280} />
    </section>
  )
}
