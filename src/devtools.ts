export {
  createDevtoolsFetch,
  devtoolsFetch,
  PetstoreDevtools,
  PetstoreDevtoolsPanel,
} from './devtools/PetstoreDevtools.tsx'
export { petstoreDevtoolsPlugin } from './devtools/petstoreDevtoolsPlugin.tsx'
export type { PetstoreDevtoolsProps } from './devtools/DevtoolsPanel.tsx'
export type { GatePage, GateRecord } from './rate-limit/GateRecord.ts'
export type { GateInspection, HoldReason, WaitingCall } from './rate-limit/rateLimitState.ts'
