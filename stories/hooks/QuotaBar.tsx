import { type ReactElement, useId } from 'react'
import { useCategories, useRateLimit } from '../../src/index.ts'

const timeOf = (epoch: number) => new Date(epoch).toLocaleTimeString()

/** What is left of the quota, as a bar. It renders again when that changes, and asks nothing itself. */
export function QuotaBar(): ReactElement {
  const { status, limit, remaining, resetAt, retryAt } = useRateLimit()
  const id = useId()
  if (limit === undefined || remaining === undefined) {
    return <p>{retryAt === undefined ? 'Nothing is known of the quota yet.' : `Nothing before ${timeOf(retryAt)}.`}</p>
  }
  return (
    <div>
      <p id={id}>
        {remaining} of {limit} requests left{status === 'low' && ', few enough to be careful'}
        {resetAt !== undefined && `; all of them again at ${timeOf(resetAt)}`}
      </p>
      <meter aria-labelledby={id} min={0} max={limit} low={limit / 5} optimum={limit} value={remaining} />
    </div>
  )
}

/** A bar on `useRateLimit`, beside something that uses the quota up. The key of these stories has five requests a day. */
export function QuotaExample(): ReactElement {
  const { isValidating, refresh } = useCategories()
  return (
    <>
      <QuotaBar />
      <button type="button" aria-disabled={isValidating} onClick={() => void refresh()}>
        Ask the service
      </button>
    </>
  )
}
