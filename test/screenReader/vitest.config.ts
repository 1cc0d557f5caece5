import { defineConfig } from 'vitest/config'
import { missingPackages } from './missingPackages.ts'

if (missingPackages.length > 0) {
  const advice = `Missing packages of Debian. Install them: apt-get install ${missingPackages.join(' ')}`
  if (process.env['SCREEN_READER_REQUIRED']) throw new Error(advice)
  console.warn(`All flows are skipped. ${advice}`)
}

/** A command of its own: it needs programs of the machine, and takes minutes. */
export default defineConfig({
  test: {
    include: ['test/screenReader/*.flows.ts'],
    pool: 'forks', // so that each ends its programs when it is ended
    maxWorkers: 3, // Each has a desktop of its own, which mostly waits.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
