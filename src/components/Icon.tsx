import type { ReactElement } from 'react'
import type { WaitReason } from '../rate-limit/pendingRequest.ts'
import { classNames } from './classNames.ts'

/** The color of a situation. A `warning` says when it ends, or asks people to check something. */
export type Tone = 'danger' | 'warning' | 'success'

interface IconProps {
  /** One of the paths below. Without one, a spinner. */
  readonly path: string | undefined
  /** Default: the color of the text around it. */
  readonly tone?: Tone | undefined
  readonly className?: string | undefined
}

/** An icon. Never the only bearer of a meaning: assistive technology ignores it. */
export function Icon({ path, tone, className }: IconProps): ReactElement {
  if (path === undefined) return <span className={classNames('petstore-spinner', className)} />
  return (
    <svg className={classNames('petstore-icon', className)} data-tone={tone} viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/* Lines in a square of 20. One constant for each picture, so that an app loads only those of its components. */
const circle = 'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z'

export const alert = `${circle}M10 6v4.5M10 13.9v.1`
export const ban = `${circle}M4.4 15.6 15.6 4.4`
export const checkCircle = `${circle}M6.5 10.3l2.4 2.4 4.6-5`
export const chevron = 'm5 8 5 5 5-5'
export const clock = `${circle}M10 5.5V10l3 2`
export const cloudOff = 'M6.2 6.3A4.3 4.3 0 0 0 6 15h8.5m2.4-1a3.3 3.3 0 0 0-1.9-5.4A5.2 5.2 0 0 0 9 4.6M3 3l14 14'
export const close = 'm5.5 5.5 9 9m0-9-9 9'
export const dash = `${circle}M6.5 10h7`
export const gauge = 'M4 15.3a8 8 0 1 1 12 0M10 10l3-3.5'
export const key = 'M12.5 3a4.5 4.5 0 1 1-1.8 8.6L9 13.5H7v2H5v2H2.5V15l6-6A4.5 4.5 0 0 1 12.5 3zM13.8 6.2h.1'
export const lock = 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9'
export const logIn = 'M11.5 3H16v14h-4.5M3 10h9M8.5 6.5 12 10l-3.5 3.5'
export const pause = `${circle}M8.3 7.2v5.6M11.7 7.2v5.6`
export const plus = 'M10 4v12M4 10h12'
export const question = `${circle}M8 8a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.1M10 13.9v.1`
export const refresh = 'M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13'
export const search = 'm17 17-4-4M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0Z'
export const server = 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.1M6 13.5h.1'
export const tag =
  'M10.6 2.5H17a.5.5 0 0 1 .5.5v6.4a1 1 0 0 1-.3.7l-7 7a1 1 0 0 1-1.4 0l-5.9-5.9a1 1 0 0 1 0-1.4l7-7a1 1 0 0 1 .7-.3zM14 6h.1'
/** The icon for each reason to wait. */
export const waitIcons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': clock,
  connection: cloudOff,
  service: server,
  'other-tabs': clock,
}
