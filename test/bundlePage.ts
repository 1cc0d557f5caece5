import { build } from 'esbuild'

/**
 * Bundles the scripts of a page for production, with the chunks that load late. Returns the files by their path on the
 * server: the bundle of `test/x/page.tsx` is `/page.js`.
 *
 * @param entries - paths in the repository, from its root, where all commands run
 */
export async function bundlePage(...entries: readonly string[]): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [...entries],
    entryNames: '[name]',
    outdir: '/',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}
