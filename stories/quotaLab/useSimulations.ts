import { useEffect, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import { type ClientKind, type SimulationResult, simulate } from './simulate.ts'
import type { TrafficScenarioName } from './trafficScenarios.ts'

/** What can be chosen. Storybook keeps it in the address. */
export interface LabChoice {
  readonly scenario: TrafficScenarioName
  readonly plan: PlanName
}

export type Results = Readonly<Record<ClientKind, SimulationResult>>

/**
 * The results of a choice, `undefined` until they are there. Simulates one client after the other and only while the page
 * is idle. A new choice, or leaving the page, stops it.
 */
export function useSimulations(choice: LabChoice): Results | undefined {
  const [simulated, setSimulated] = useState<{ readonly choice: LabChoice; readonly results: Results }>()

  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const run = async (client: ClientKind) => {
      await idle()
      signal.throwIfAborted()
      return simulate(choice.scenario, choice.plan, client, signal)
    }
    async function runAll(): Promise<void> {
      const results = {
        'petstore-react': await run('petstore-react'),
        'retry-after': await run('retry-after'),
        fetch: await run('fetch'),
      }
      setSimulated({ choice, results })
    }
    runAll().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return () => stopping.abort()
  }, [choice])

  return simulated?.choice === choice ? simulated.results : undefined
}

/** Safari has no `requestIdleCallback`. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })
