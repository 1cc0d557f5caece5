import { defineConfig } from 'vitest/config'

/** Few runs for each property: what many find, a few thousand mutants' worth of test runs finds too. */
process.env['FAST_CHECK_RUNS'] ??= '200'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/rate-limit/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts'],
  },
})
