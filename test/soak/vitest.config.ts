import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Separate from the other tests because it takes minutes. `gc` makes heap measurements comparable. */
export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    include: ['test/soak/soak.test.tsx'],
    execArgv: ['--expose-gc'],
    testTimeout: 1_800_000,
    disableConsoleIntercept: true,
  },
})
