import type { WaitReason } from '../rate-limit/Wait.ts'
import { clock, cloudOff, server } from './Icon.tsx'

/** The icon of each wait. */
export const waitIcons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': clock,
  connection: cloudOff,
  service: server,
  'other-tabs': clock,
}
