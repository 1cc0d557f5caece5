import { type ReactElement, useId } from 'react'
import { useCategories, useRateLimit } from '../../src/index.ts'

const formatTime = (epoch: number) => new Date(epoch).toLocaleTimeString()

/** Shows how much of the request limit is left. It renders again when that changes, and sends no requests. */
export function QuotaBar(): ReactElement {
  const { status, limit, remaining, resetAt, retryAt } = useRateLimit()
  const textId = useId()
  if (limit === undefined || remaining === undefined) {
    return <p>{retryAt === undefined ? 'The request limit is unknown.' : `Paused until ${formatTime(retryAt)}.`}</p>
  }
  const low = status === 'low' ? ', running low' : ''
  const end = resetAt === undefined ? '' : `. Resets at ${formatTime(resetAt)}.`
  return (
    <div>
      {/* One string: of several text nodes, React could not update those that a page translator has replaced. */}
      <p id={textId}>{`${remaining} of ${limit} requests left${low}${end}`}</p>
      <meter aria-labelledby={textId} min={0} max={limit} low={limit / 5} optimum={limit} value={remaining} />
    </div>
  )
}

/** A bar built on `useRateLimit`, next to a button that uses up the request limit: five requests a day. */
export function QuotaExample(): ReactElement {
  const { isValidating, refresh } = useCategories()
  return (
    <>
      <QuotaBar />
      <button type="button" aria-disabled={isValidating} onClick={() => void refresh()}>
        Send a request
      </button>
    </>
  )
}
