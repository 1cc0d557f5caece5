import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { entries } from '../../.storybook/entries.ts'

/** The oldest browsers that have what README.md asks for. */
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
    // Older by far; their newest scripts came later, and nothing here depends on them.
    supported: { 'regexp-unicode-property-escapes': true },
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('\n')
}

/** Node reads the last one. */
const paths = Object.values(entries).filter((path) => path !== 'src/testing/node.ts')

test.each([...paths, 'src/styles.css'])('%s is written as the oldest browsers read it', async (path) => {
  const written = await bundle(path, 'esnext')
  expect(written).not.toBe('')
  expect(await bundle(path, oldest)).toBe(written)
})

test('what they could not read would be found', async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'using one = open(); console.log(one)', loader: 'js' },
    target: oldest,
    write: false,
  })
  expect(outputFiles[0]?.text).not.toContain('using one')
})
