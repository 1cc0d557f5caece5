/**
 * The Chromium that the browser tests run in: `CHROMIUM_PATH` if set; on Linux x64 the one that comes with the installed
 * packages, unpacked on first use together with the libraries that a bare machine lacks; elsewhere the machine's Chrome.
 */
import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib'
import type { LaunchOptions } from 'playwright'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Not derived from `import.meta`: `run.mjs` bundles this file into another folder. Commands run in the root folder. */
const modules = join(process.cwd(), 'node_modules')

export async function chromiumLaunchOptions(): Promise<LaunchOptions> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return { args, executablePath: chosen }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { args, channel: 'chrome' }

  const packageFolder = join(modules, '@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  const executablePath = join(folder, 'chromium')
  if (!existsSync(executablePath)) await unpack(join(packageFolder, 'bin'), folder, executablePath)
  const libraries = [process.env['LD_LIBRARY_PATH'], join(folder, 'lib')].filter(Boolean).join(':')
  return { args, executablePath, env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}

async function unpack(packed: string, folder: string, executable: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], {
    input: brotliDecompressSync(readFileSync(join(packed, 'al2023.tar.br'))),
  })
  const partial = `${executable}.${process.pid}`
  await pipeline(
    createReadStream(join(packed, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(partial, { mode: 0o755 }),
  )
  renameSync(partial, executable) // last, and atomic: two test runs may start at once
}
