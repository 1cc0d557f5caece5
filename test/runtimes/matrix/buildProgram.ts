import { join } from 'node:path'
import { build as bundle, type Plugin } from 'esbuild'

const sources = 'test/runtimes/matrix/program'

/** Our own files import the source, for its types. The program imports the packed package instead. */
const usePackage: Plugin = {
  name: 'use-package',
  setup(build) {
    build.onResolve({ filter: /\/src\/(client|server|testing)\.ts$/ }, ({ path }) => ({
      path: `petstore-react/${path.replace(/^.*\/src\/|\.ts$/g, '')}`,
      external: true,
    }))
  },
}

interface ProgramOptions {
  /** The entry below `program`. */
  readonly entry: string
  /** Where `node_modules` has the package. */
  readonly folder: string
  /** What is known at build time, by the name of the constant. */
  readonly constants: Readonly<Record<string, unknown>>
}

/** Builds a program for one runtime, which resolves the imports of the package by itself. Returns its path. */
export async function buildProgram({ entry, folder, constants }: ProgramOptions): Promise<string> {
  const outfile = join(folder, `${entry}.js`)
  await bundle({
    entryPoints: [join(sources, `${entry}.ts`)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['node:*'],
    plugins: [usePackage],
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    outfile,
  })
  return outfile
}

/** Makes one file of a program and everything it imports, as Wrangler does. Returns its path. */
export async function bundleWorker(program: string): Promise<string> {
  const outfile = program.replace(/\.js$/, '.bundle.js')
  await bundle({
    entryPoints: [program],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['module', 'main'],
    define: { 'process.env.NODE_ENV': '"development"' },
    outfile,
  })
  return outfile
}
