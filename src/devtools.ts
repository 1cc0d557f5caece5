export { PetstoreDevtools, PetstoreDevtoolsPanel } from './devtools/PetstoreDevtools.tsx'
export type { PetstoreDevtoolsProps } from './devtools/DevtoolsPanel.tsx'
export type { GatePage, GateRecord } from './rate-limit/GateRecord.ts'
export type { GateInspection, WaitingCallReason, WaitingCall } from './rate-limit/rateLimitState.ts'
