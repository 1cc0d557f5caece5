import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { startBrowser } from './startBrowser.ts'

const browser = startBrowser()

/** Builds the package's styles and an app's own with the defaults of Vite. */
async function stylesOfApp(own: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-vite-'))
  try {
    const styles = join(import.meta.dirname, '../../src/styles.css')
    writeFileSync(join(folder, 'main.js'), `import ${JSON.stringify(styles)}\nimport './own.css'\n`)
    writeFileSync(join(folder, 'own.css'), own)
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rolldownOptions: { input: join(folder, 'main.js') } },
    })
    const outputs = Array.isArray(built) ? built : [built]
    return outputs
      .flatMap((result) => ('output' in result ? result.output : []))
      .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : ''))
      .join('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The background of the primary button in the light and in the dark theme. */
const light = 'rgb(29, 95, 214)'
const dark = 'rgb(143, 184, 255)'

test.each([
  ['no color scheme', '', 'light', light],
  ['no color scheme, on a dark system', '', 'dark', light], // without `color-scheme` an app is light
  ['a dark scheme', ':root { color-scheme: dark }', 'light', dark],
  ['both schemes, on a light system', ':root { color-scheme: light dark }', 'light', light],
  ['both schemes, on a dark system', ':root { color-scheme: light dark }', 'dark', dark],
  ['a dark scheme on `html`', 'html { color-scheme: dark }', 'light', dark],
  ['a dark scheme on an attribute', '[data-theme="dark"] { color-scheme: dark }', 'light', dark],
] as const)('an app that Vite builds, with %s, has the colors of its scheme', async (_, own, colorScheme, expected) => {
  const styles = await stylesOfApp(own)
  expect(styles).not.toContain('light-dark(') // Vite replaces it, for older browsers
  const page = await browser().newPage({ colorScheme })
  await page.setContent(
    `<!doctype html><html data-theme="dark"><style>${styles}</style><button class="petstore-button petstore-button-primary">A</button>`,
  )
  const color = await page.locator('button').evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(color).toBe(expected)
  await page.close()
})
