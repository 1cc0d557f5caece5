import { defineConfig } from 'vitest/config'

/** Few runs of each property, because every mutant runs the tests again. */
process.env['FAST_CHECK_RUNS'] ??= '200'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/rate-limit/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts'],
  },
})
