import { useEffect, useState } from 'react'
import { firstResults } from 'virtual:petstore-first-results'
import { type LabChoice, type Results, simulateAll } from './simulateAll.ts'

interface Simulated {
  readonly choice: LabChoice
  readonly results: Results
}

/** The results that the build of the playground has computed (.storybook/main.ts). */
const first: Simulated = { choice: { scenario: 'four-tabs', plan: 'free' }, results: firstResults }

const isSame = (one: LabChoice, other: LabChoice) => one.scenario === other.scenario && one.plan === other.plan

/**
 * The results of a choice, `undefined` until they are there. Each simulation starts when the page is idle. A new
 * choice, or leaving the page, stops them.
 */
export function useSimulations(choice: LabChoice): Results | undefined {
  const [simulated, setSimulated] = useState(first)
  const isDone = isSame(simulated.choice, choice)

  useEffect(() => {
    if (isDone) return undefined
    const stopping = new AbortController()
    const { signal } = stopping
    simulateAll(choice, signal, idle).then(
      (results) => setSimulated({ choice, results }),
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
    return () => stopping.abort()
  }, [choice, isDone])

  return isDone ? simulated.results : undefined
}

/** Resolves when the page is idle. Safari has no `requestIdleCallback`. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })
