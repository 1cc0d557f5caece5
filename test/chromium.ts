/**
 * Finds the Chromium that the browser tests run in: `CHROMIUM_PATH` if set; on Linux x64 the one that comes with the
 * installed packages, unpacked on first use; elsewhere none, and the tests use the machine's own Chrome.
 */
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'

export const chromiumArgs: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const modules = join(import.meta.dirname, '../node_modules')

export async function chromiumPath(): Promise<string | undefined> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return chosen
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined

  const packageFolder = join(modules, '@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  const executable = join(folder, 'chromium')
  if (existsSync(executable)) return executable

  mkdirSync(folder, { recursive: true })
  const partial = `${executable}.${process.pid}`
  await pipeline(
    createReadStream(join(packageFolder, 'bin/chromium.br')),
    createBrotliDecompress(),
    createWriteStream(partial, { mode: 0o755 }),
  )
  renameSync(partial, executable) // atomic: two test runs may start at once
  return executable
}
