import type { PlanName } from '../../src/testing.ts'
import { type ClientKind, type SimulationResult, simulate } from './simulate.ts'
import type { TrafficScenarioName } from './trafficScenarios.ts'

/** What people choose in the lab. Storybook keeps it in the address. */
export interface LabChoice {
  readonly scenario: TrafficScenarioName
  readonly plan: PlanName
}

export type Results = Readonly<Record<ClientKind, SimulationResult>>

/**
 * Simulates one client after the other.
 *
 * @param untilIdle - resolves when the next client may begin
 * @throws the signal's reason when it is aborted
 */
export async function simulateAll(
  { scenario, plan }: LabChoice,
  signal?: AbortSignal,
  untilIdle?: () => Promise<void>,
): Promise<Results> {
  const run = async (client: ClientKind) => {
    await untilIdle?.()
    signal?.throwIfAborted()
    return simulate(scenario, plan, client, signal)
  }
  return {
    'petstore-react': await run('petstore-react'),
    'retry-after': await run('retry-after'),
    fetch: await run('fetch'),
  }
}
