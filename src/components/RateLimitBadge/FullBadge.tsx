import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import type { BadgeContentProps } from './BadgeContentProps.ts'
import { RateLimitIcon } from './RateLimitIcon.tsx'
import { RemainingMeter } from './RemainingMeter.tsx'

/** The content of the full badge. */
export function FullBadge(props: BadgeContentProps): ReactElement {
  const { state, text, labels, format, slots, nameRef, id } = props
  const { status, retryAt } = state
  const timeClass = classNames('petstore-rate-limit-badge-time', slots.time)
  return (
    <>
      <span ref={nameRef} id={id} className={classNames('petstore-rate-limit-badge-title', slots.title)}>
        {labels.title}
      </span>
      <span className={classNames('petstore-rate-limit-badge-state', slots.state)}>
        <RateLimitIcon status={status} className={slots.icon} />
        {text.state}
      </span>
      {text.remaining && <RemainingMeter {...props} />}
      {retryAt !== undefined && (
        <span className={timeClass}>
          <Countdown until={retryAt} format={format}>
            {labels.nextIn}
          </Countdown>
        </span>
      )}
      {text.resetsAt && <span className={timeClass}>{text.resetsAt}</span>}
    </>
  )
}
