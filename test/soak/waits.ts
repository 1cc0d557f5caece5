import { isQueued } from '../../src/client/recording.ts'
import { explainWait } from '../../src/devtools/describeRecord.ts'
import { addEvent, addInspection, emptyGateHistory } from '../../src/devtools/gateHistory.ts'
import { causeOf } from '../../src/devtools/timeline.ts'
import type { PetstoreClient, HoldReason } from '../../src/index.ts'

/** How many waits were explained, by their reason. */
export type ExplainedWaits = Readonly<Partial<Record<HoldReason, number>>>

/** Between two looks at a gate, in ms. */
const lookInterval = 1_000
/** A store that does not respond is given up by then, in ms. */
const maxStoreWait = 6_000
/** How long a healthy address may wait because another one fails, in ms. */
const maxFailureWait = 900

/** Looks at gates as the developer tools do, once a second. A call that is held without an explanation is a finding. */
export function createWaitWatcher(
  addFinding: (text: string) => void,
  brokenOperations: () => readonly string[] | undefined,
) {
  let explained: Partial<Record<HoldReason, number>> = {}
  let calm = 0
  return {
    /** Watches a client until the returned function is called, or until its tab has crashed. */
    watch: (client: PetstoreClient, isAlive: () => boolean): (() => void) => {
      let history = emptyGateHistory
      const unsubscribe = client.subscribe((event) => {
        history = addEvent(history, event)
      })
      /** Since when calls wait for the store, and since when they are held without a reason, by their ids. */
      let inStore = new Map<string, number>()
      let behindFailures = new Map<string, number>()
      let unexplained = new Set<string>()

      function look(): void {
        if (!isAlive()) return
        const inspection = client.rateLimit.inspect()
        history = addInspection(history, inspection)
        const { at, record, waiting } = inspection
        const cause = causeOf(history.timeline, inspection)
        for (const call of waiting) {
          const sentence = explainWait(call, inspection, cause)
          const { reason, operation } = call
          explained[reason] = (explained[reason] ?? 0) + 1
          if (!/^[A-Z\d].+\.$/.test(sentence) || /undefined|NaN|Invalid/.test(sentence))
            addFinding(`${operation} waits for "${reason}": ${sentence}`)
          const end = reason === 'failures' ? record.breaker.until : record.cooldownUntil
          if (/cooling-down|failures/.test(reason) && end <= at)
            addFinding(`${operation} waits for "${reason}", but that has ended`)
        }
        const storing = waiting.filter(({ reason }) => reason === 'store')
        inStore = new Map(storing.map(({ callId }) => [callId, inStore.get(callId) ?? performance.now()]))
        for (const since of inStore.values())
          if (performance.now() - since > maxStoreWait) addFinding('a call waits for the store for too long')
        const broken = brokenOperations()
        if (broken) calm += 1
        const healthy = broken ? waiting.filter(({ operation }) => !broken.includes(operation)) : []
        const failing = healthy.filter(({ reason }) => /failures|probe/.test(reason))
        behindFailures = new Map(failing.map(({ callId }) => [callId, behindFailures.get(callId) ?? performance.now()]))
        for (const { callId, operation, reason } of failing) {
          const waited = performance.now() - (behindFailures.get(callId) ?? 0)
          if (waited > maxFailureWait)
            addFinding(`${operation} waits for "${reason}", though only ${broken?.join(', ')} fails`)
        }
        // A call may leave while this looks, so only what two looks in a row show is a finding.
        const shown = new Set(waiting.map(({ callId }) => callId))
        const hidden = history.calls.filter((call) => isQueued(call) && !shown.has(call.callId))
        for (const { callId, operation } of hidden)
          if (unexplained.has(callId)) addFinding(`${operation} is held without a reason`)
        unexplained = new Set(hidden.map(({ callId }) => callId))
      }

      const timer = setInterval(look, lookInterval)
      return () => {
        clearInterval(timer)
        unsubscribe()
      }
    },
    /** How often a gate was looked at that knows of one dead address alone. */
    calmLooks: () => calm,
    /** The waits since the last call of this function. */
    takeExplained: (): ExplainedWaits => {
      const taken = explained
      explained = {}
      return taken
    },
  }
}
