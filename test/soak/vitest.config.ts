import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Apart from the usual tests: it takes minutes. The heap can only be measured right after a collection. */
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
