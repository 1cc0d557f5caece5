import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { LaunchOptions } from 'playwright'

/** How Playwright launches the installed Firefox. Builds `firefoxForPlaywright.ts`, which stands between the two. */
export async function firefoxLaunchOptions(): Promise<LaunchOptions> {
  const executablePath = join(process.cwd(), 'node_modules/.cache/firefoxForPlaywright.mjs')
  await build({
    entryPoints: ['test/engines/firefoxForPlaywright.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    banner: { js: '#!/usr/bin/env node' },
    outfile: executablePath,
  })
  chmodSync(executablePath, 0o755)
  return {
    channel: 'moz-firefox', // makes Playwright speak WebDriver BiDi, as any Firefox does
    executablePath,
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      // Without a screen Firefox believes that there is no mouse: fine (2) and able to hover (4).
      'ui.primaryPointerCapabilities': 6,
      'ui.allPointerCapabilities': 6,
    },
  }
}
