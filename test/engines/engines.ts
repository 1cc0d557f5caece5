import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type EngineName = 'chromium' | 'firefox' | 'webkit'

interface Engine {
  readonly name: EngineName
  /** The programs that it needs on the machine. */
  readonly programs: readonly string[]
  /** The Debian packages that bring them. */
  readonly packages: readonly string[]
}

const engines: readonly Engine[] = [
  { name: 'chromium', programs: [], packages: [] }, // comes with the install
  { name: 'firefox', programs: [process.env['FIREFOX_PATH'] ?? 'firefox-esr'], packages: ['firefox-esr'] },
  { name: 'webkit', programs: ['WebKitWebDriver', 'Xvfb'], packages: ['webkit2gtk-driver', 'xvfb'] },
]

/** Whether a program is on this machine, by its name or its path. */
export const isInstalled = (program: string) =>
  program.includes('/')
    ? existsSync(program)
    : (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/**
 * The engines to test: those that `ENGINES` names, as in `firefox,webkit`, or all of them. An engine that is not installed
 * is left out with a message, unless `ENGINES` asks for it.
 *
 * @throws Error if an engine that `ENGINES` asks for, by name or as `all`, is not installed
 */
export function chosenEngines(requested = process.env['ENGINES'] ?? ''): readonly EngineName[] {
  const names = requested === '' || requested === 'all' ? engines.map(({ name }) => name) : requested.split(',')
  const unknown = names.filter((name) => !engines.some((engine) => engine.name === name))
  if (unknown.length > 0) throw new Error(`ENGINES names ${unknown.join(', ')}: use chromium, firefox, webkit or all.`)

  const chosen = engines.filter(({ name }) => names.includes(name))
  const missing = chosen.filter(({ programs }) => !programs.every(isInstalled))
  const messages = missing.map(
    ({ name, packages }) => `${name} is not installed. On Debian: apt-get install ${packages.join(' ')}`,
  )
  if (missing.length > 0 && requested !== '') throw new Error(messages.join('\n'))
  for (const message of messages) console.warn(`Skipped: ${message}`)
  return chosen.filter((engine) => !missing.includes(engine)).map(({ name }) => name)
}
