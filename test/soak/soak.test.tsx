import { expect, test, vi } from 'vitest'
import { slopeOf } from './leaks.ts'
import { type Day, playDays } from './playDays.ts'

vi.mock('idb-keyval', () => import('./sharedDatabase.ts'))

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const count = Number(process.env['SOAK_DAYS'] ?? 30)
const megabyte = 2 ** 20
/** Before the fifth day engine and libraries still compile and fill what they keep for good. */
const warmUp = 4
/** Bytes a day: what some clients and caches that were not let go would take. */
const mostGrowth = 0.1 * megabyte

test(`${count} days leave nothing open, nothing twice, and nothing behind`, async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  print(`Seed ${seed} (SOAK_SEED), ${count} days (SOAK_DAYS)`)
  const { days, findings } = await playDays({
    days: count,
    seed,
    sessions: 6,
    onDay: (day, index) => print(lineOf(day, index)),
  })
  const total = (name: 'calls' | 'requests' | 'refusals' | 'inFlight' | 'unknowing' | 'injectedBans') =>
    days.reduce((sum, { [name]: value }) => sum + value, 0)
  print(
    `In all ${total('calls')} calls, ${total('requests')} requests, ${total('refusals')} times 429, ` +
      `${total('inFlight')} in flight as a cool-down began, ${total('unknowing')} in one that nobody had heard of, ` +
      `${total('injectedBans')} bans by others`,
  )
  for (const finding of findings.slice(0, 20)) print(finding)
  expect(findings).toEqual([])
  // Each development warning is given once, however long the app lives.
  const texts = warnings.mock.calls.map(String)
  expect(texts).toEqual([...new Set(texts)])

  const heap = days.slice(warmUp).flatMap(({ leftovers }) => leftovers.heap ?? [])
  if (heap.length < 5) return
  const growth = slopeOf(heap)
  print(`The heap grows by ${(growth / 1024).toFixed(1)} kB a day`)
  expect(growth).toBeLessThan(mostGrowth)
})

function lineOf({ outcomes, leftovers, ...day }: Day, index: number): string {
  const { settled = 0, ...others } = outcomes
  const rest = Object.entries(others).map(([outcome, times]) => `${times} ${outcome}`)
  return [
    `Day ${index + 1}: ${day.calls} calls, ${settled} responded to, ${rest.join(', ')}`,
    `${day.requests} requests, ${day.refusals} times 429`,
    `longest call ${Math.round(day.longestCall / 1_000)} s, most at once ${day.maxOpen}`,
    `heap ${((leftovers.heap ?? 0) / megabyte).toFixed(1)} MB`,
  ].join('; ')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
