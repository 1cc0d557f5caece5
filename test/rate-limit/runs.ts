/**
 * How often each property is tried: `FAST_CHECK_RUNS=100000 npx vitest run --project node test/rate-limit` sets it.
 * The seed is the same each time, so that a green check stays green; `FAST_CHECK_SEED` takes another,
 * and with `FAST_CHECK_PATH` one case is played again.
 */
const numRuns = Number(process.env['FAST_CHECK_RUNS'] ?? 10_000)
const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20_260_101)
const path = process.env['FAST_CHECK_PATH']

export const runs = path === undefined ? { numRuns, seed } : { numRuns: 1, seed, path, endOnFailure: true }

/** Whether tests that take long play all of their cases: in `npm run test:deep`. */
export const isDeep: boolean = numRuns > 1_000

/** In ms, for a test of that many runs: so long that a busy machine does not reach it. */
export const timeout = 180_000 + numRuns * 100
