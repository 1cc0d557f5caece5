import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const source = join(import.meta.dirname, '../../src')

/** Bundles an app with the developer tools. */
async function bundleApp(code: string, environment: 'production' | 'development') {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: source, loader: 'tsx' },
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
    metafile: true,
    outdir: '/bundle',
    external: [...Object.keys(manifest.peerDependencies), ...Object.keys(manifest.dependencies)],
    define: { 'process.env.NODE_ENV': JSON.stringify(environment) },
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return {
    /** Gzipped bytes. */
    size: outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
    /** The modules of the tools, with the bytes that they add. */
    tools: inputs.flatMap(([path, { bytesInOutput }]) =>
      path.includes('src/devtools') && bytesInOutput > 0
        ? [[path.replace(/^.*src\//, ''), bytesInOutput] as const]
        : [],
    ),
  }
}

const app = (entry: string) => `
  import { PetstoreProvider } from './index.ts'
  import { PetstoreDevtools, PetstoreDevtoolsPanel } from './${entry}'
  export const App = () => (
    <PetstoreProvider baseUrl="/v1">
      <PetstoreDevtools />
      <PetstoreDevtoolsPanel />
    </PetstoreProvider>
  )`

test('a production bundle has nothing of the panel', async () => {
  const { tools } = await bundleApp(app('devtools.ts'), 'production')
  expect(tools.map(([path]) => path)).toEqual(['devtools/PetstoreDevtools.tsx'])
  // What is left: a component that returns `null`.
  expect(tools.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(300)
})

test('a production bundle of an app that only names the tools has no byte of them', async () => {
  const unused = "import { PetstoreDevtools } from './devtools.ts'\nexport { PetstoreProvider } from './index.ts'"
  const { tools } = await bundleApp(unused, 'production')
  expect(tools).toEqual([])
})

test('a development bundle, and one with the production entry, have the panel', async () => {
  for (const [entry, environment] of [
    ['devtools.ts', 'development'],
    ['devtools/production.ts', 'production'],
  ] as const) {
    const { tools } = await bundleApp(app(entry), environment)
    expect(tools.map(([path]) => path)).toContain('devtools/DevtoolsPanel.tsx')
  }
})

test('the tools weigh no more than a provider with two hooks', async () => {
  const providerWithHooks = "export { PetstoreProvider, useCategories, useRateLimit } from './index.ts'"
  const tools = await bundleApp("export * from './devtools/production.ts'", 'production')
  expect(tools.size).toBeLessThanOrEqual((await bundleApp(providerWithHooks, 'production')).size)
})
