import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import type { BadgeContentProps } from './BadgeContentProps.ts'
import { RateLimitIcon } from './RateLimitIcon.tsx'
import { RemainingMeter } from './RemainingMeter.tsx'

/** The content of the compact badge: an icon with a count or a wait, and everything else in its accessible name. */
export function CompactBadge(props: BadgeContentProps): ReactElement {
  const { state, text, labels, format, slots, nameRef, id } = props
  const { status, retryAt } = state
  return (
    <>
      <RateLimitIcon status={status} className={slots.icon} />
      {retryAt === undefined ? (
        <RemainingMeter {...props} compact />
      ) : (
        <span className={classNames('petstore-rate-limit-badge-time', slots.time)} aria-hidden="true">
          <Countdown until={retryAt} format={format} length="short">
            {(wait) => wait}
          </Countdown>
        </span>
      )}
      {/* Hidden, since it only names the group: screen readers would otherwise read it a second time. */}
      <span ref={nameRef} id={id} hidden>
        {`${labels.title}: ${text.state}. ${text.remaining && `${text.remaining}. `}`}
        {retryAt !== undefined && (
          <Countdown until={retryAt} format={format}>
            {(wait) => `${labels.nextIn(wait)}. `}
          </Countdown>
        )}
        {text.resetsAt}
      </span>
    </>
  )
}
