/**
 * How often each property is tried: `FAST_CHECK_RUNS=100000 npx vitest run --project node test/rate-limit` tries harder.
 * The seed is the same each time, so that a green check stays green; `FAST_CHECK_SEED` takes another.
 */
export const numRuns = Number(process.env['FAST_CHECK_RUNS'] ?? 10_000)
export const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20_260_101)

/** ms for a test of that many runs. */
export const timeout = 60_000 + numRuns * 20
