import { useEffect, useState } from 'react'
import type { PlanName } from '../../src/testing.ts'
import { type ClientKind, type SimulationResult, simulate } from './simulate.ts'
import type { TrafficScenarioName } from './trafficScenarios.ts'

export const clientKinds = ['petstore-react', 'retry-after', 'fetch'] as const satisfies readonly ClientKind[]

/** The results of a scenario, by client. */
export interface Simulations {
  readonly scenario: TrafficScenarioName
  readonly plan: PlanName
  readonly results: Readonly<Record<ClientKind, SimulationResult>>
}

/**
 * Simulates each client, one after the other and only while the page is idle. A new scenario or plan, or leaving the page,
 * stops it. Until new results are there, the ones before stay.
 */
export function useSimulations(scenario: TrafficScenarioName, plan: PlanName): Simulations | undefined {
  const [simulations, setSimulations] = useState<Simulations>()

  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const run = async (client: ClientKind) => {
      await idle()
      signal.throwIfAborted()
      return simulate(scenario, plan, client, signal)
    }
    async function runAll(): Promise<void> {
      const results = {
        'petstore-react': await run('petstore-react'),
        'retry-after': await run('retry-after'),
        fetch: await run('fetch'),
      }
      setSimulations({ scenario, plan, results })
    }
    runAll().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return () => stopping.abort()
  }, [scenario, plan])

  return simulations
}

/** Safari has no `requestIdleCallback`. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })
