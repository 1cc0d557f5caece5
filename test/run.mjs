/**
 * `node test/run.mjs <file.ts> [arguments]` runs a program of this repository. It is bundled first, since Node 20 runs no
 * TypeScript.
 */
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [program = '', ...args] = process.argv.slice(2)
const outfile = `node_modules/.run/${basename(program, '.ts')}.js`
await build({
  entryPoints: [program],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
process.argv = [process.execPath, outfile, ...args]
await import(pathToFileURL(outfile).href)
