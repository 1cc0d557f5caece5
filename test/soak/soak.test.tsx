import { expect, test, vi } from 'vitest'
import { slopeOf } from './leaks.ts'
import { type Day, playDays } from './playDays.ts'

vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => import('./sharedDatabase.ts'))

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const count = Number(process.env['SOAK_DAYS'] ?? 30)
const megabyte = 2 ** 20
/** Until the fifth day, the engine and libraries still compile code and fill permanent caches. */
const warmUpDays = 4
/** In bytes a day: a few leaked clients or caches would take more. */
const maxGrowth = 0.1 * megabyte

test(`${count} days leave no pending call, no duplicate and no leak`, async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  print(`Seed ${seed} (SOAK_SEED), ${count} days (SOAK_DAYS)`)
  const { days, findings, calmLooks } = await playDays({
    days: count,
    seed,
    sessions: 6,
    onDay: (day, index) => print(lineOf(day, index)),
  })
  const total = (name: 'calls' | 'requests' | 'refusals' | 'inFlight' | 'unaware' | 'injectedBans') =>
    days.reduce((sum, { [name]: value }) => sum + value, 0)
  print(
    `In total ${total('calls')} calls, ${total('requests')} requests, ${total('refusals')} responses with 429, ` +
      `${total('inFlight')} in flight when a cool-down began, ${total('unaware')} during one that no tab knew about, ` +
      `${total('injectedBans')} bans caused by other programs`,
  )
  print(`${calmLooks} looks at gates while one address alone was dead`)
  for (const finding of findings.slice(0, 20)) print(finding)
  expect(findings).toEqual([])
  // Each development warning appears once, however long the app runs.
  const texts = warnings.mock.calls.map(String)
  expect(texts).toEqual([...new Set(texts)])

  const heap = days.slice(warmUpDays).flatMap(({ leftovers }) => leftovers.heap ?? [])
  if (heap.length < 5) return
  const growth = slopeOf(heap)
  print(`The heap grows by ${(growth / 1024).toFixed(1)} kB a day`)
  expect(growth).toBeLessThan(maxGrowth)
})

function lineOf({ outcomes, leftovers, ...day }: Day, index: number): string {
  const { succeeded = 0, ...others } = outcomes
  const rest = Object.entries(others).map(([outcome, times]) => `${times} ${outcome}`)
  return [
    `Day ${index + 1}: ${day.calls} calls, ${succeeded} succeeded, ${rest.join(', ')}`,
    `${day.requests} requests, ${day.refusals} responses with 429`,
    `waits explained: ${Object.entries(day.explained)
      .map(([reason, times]) => `${times} ${reason}`)
      .join(', ')}`,
    `longest call ${Math.round(day.longestCall / 1_000)} s, at most ${day.maxOpen} at once`,
    `heap ${((leftovers.heap ?? 0) / megabyte).toFixed(1)} MB`,
  ].join('; ')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
