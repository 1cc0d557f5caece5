import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { entries } from '../../.storybook/entries.ts'

/** The oldest browsers that README.md supports. */
const oldest = ['chrome123', 'edge123', 'firefox121', 'safari17.5']

async function bundle(path: string, target: string | string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    target,
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: '/bundle',
    packages: 'external',
    // These browsers support the feature. They only lack the newest Unicode scripts, which the package does not use.
    supported: { 'regexp-unicode-property-escapes': true },
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('\n')
}

/** Only Node loads `testing/node.ts`. */
const paths = Object.values(entries).filter((path) => path !== 'src/testing/node.ts')

test.each([...paths, 'src/styles.css'])('%s uses only the syntax of the oldest browsers', async (path) => {
  const written = await bundle(path, 'esnext')
  expect(written).not.toBe('')
  expect(await bundle(path, oldest)).toBe(written)
})

test('the check finds syntax that the oldest browsers lack', async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'using one = open(); console.log(one)', loader: 'js' },
    target: oldest,
    write: false,
  })
  expect(outputFiles[0]?.text).not.toContain('using one')
})
