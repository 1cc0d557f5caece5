import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A screen that nobody sees, with Firefox and a screen reader whose speech is a file. */
export interface Desktop {
  /** Presses a key as a keyboard does, by its name in X: `Tab`, `ctrl+Return`. */
  readonly press: (key: string) => void
  readonly type: (text: string) => void
  /** Everything that was spoken so far. */
  readonly spoken: () => readonly string[]
  readonly close: () => void
}

// A signal alone would end this process without `exit`, whose listeners end the started programs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** How long each program may take to start, in ms. */
const startTime = 180_000

/**
 * Starts everything in a temporary folder, which is also the home folder: nothing of the person who runs it is read or
 * written. Firefox shows `homePage`, and shows it again after `alt+Home`.
 */
export async function startDesktop(homePage: string): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-desktop-'))
  const inFolder = (name: string) => join(folder, name)
  const speechFile = inFolder('speech.jsonl')
  const environment: NodeJS.ProcessEnv = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LC_ALL: 'C.UTF-8',
    GNOME_ACCESSIBILITY: '1',
    NO_AT_BRIDGE: '0',
    SPEECHD_ADDRESS: `unix_socket:${inFolder('speech.sock')}`,
    SPEECH_FILE: speechFile,
  }
  const start = (program: string, ...options: string[]): ChildProcess =>
    spawn(program, options, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const close = (): void => {
    process.off('exit', close)
    for (const pid of processesOf(folder)) end(pid)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  process.once('exit', close)

  try {
    writeSettings(folder, homePage)
    writeFileSync(speechFile, '')
    const display = await firstLine(
      start('Xvfb', '-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'),
    )
    environment['DISPLAY'] = `:${display}`
    const bus = start('dbus-daemon', '--session', '--nofork', '--print-address=1')
    environment['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus)
    start('openbox')
    start('speech-dispatcher', '--run-single', '--config-dir', folder, '--socket-path', inFolder('speech.sock'), '--log-dir', folder, '--pid-file', inFolder('speech.pid'), '--timeout', '0') // biome-ignore format: one option per name
    await waitUntil('speech-dispatcher', () => existsSync(inFolder('speech.sock')))
    start(
      'orca',
      '--user-prefs',
      inFolder('orca'),
      ...(process.env['ORCA_DEBUG'] ? ['--debug-file', process.env['ORCA_DEBUG']] : []),
    )
    const spoken = () => linesOf(readFileSync(speechFile, 'utf8')).map(plainText)
    await waitUntil('orca', () => spoken().includes('Screen reader on.'))
    start('firefox-esr', '--no-remote', '--profile', inFolder('firefox'))
    await waitUntil('firefox-esr', () => spoken().some((text) => text.startsWith('Finished loading')))
    const xdotool = (...options: string[]) => execFileSync('xdotool', options, { env: environment })
    return {
      press: (key) => xdotool('key', key),
      type: (text) => xdotool('type', '--delay', '80', text),
      spoken,
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** What speech-dispatcher gave to `speechModule.mjs`: one text for each time that Orca spoke. */
const linesOf = (file: string) => file.split('\n').flatMap((line) => (line === '' ? [] : String(JSON.parse(line))))

/** Removes the marks that Orca puts before each word. */
function plainText(markup: string): string {
  const text = markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
  return text.replaceAll(/\s+/g, ' ').trim()
}

function writeSettings(folder: string, homePage: string): void {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const name of ['modules', 'orca', 'firefox']) mkdirSync(join(folder, name))

  const speechModule = join(import.meta.dirname, 'speechModule.mjs')
  write('speechd.conf', `AddModule "file" "${speechModule}" "file.conf"\nDefaultModule file\n`)
  write('modules/file.conf', '')
  // Orca refuses to start if `pgrep` finds another one, such as that of the person at this machine. This finds none.
  write('pgrep', '#!/bin/sh\n')
  chmodSync(join(folder, 'pgrep'), 0o755)

  // The defaults, but keys are not spoken, and a page is not read aloud before the first key: both would bury the rest.
  const orca = { enableKeyEcho: false, sayAllOnLoad: false, enableBraille: false, enableSound: false }
  const profile = ['Default', 'default']
  const settings = {
    general: { ...orca, startingProfile: profile },
    profiles: { default: { ...orca, profile } },
    pronunciations: {},
    keybindings: {},
  }
  write('orca/user-settings.conf', JSON.stringify(settings))

  const preferences = {
    'accessibility.force_disabled': -1, // on, whatever the desktop says
    'browser.startup.homepage': homePage,
    'browser.startup.page': 1,
    'browser.newtab.preload': false, // Orca speaks of tabs that load in the background.
    'browser.shell.checkDefaultBrowser': false,
    'browser.aboutwelcome.enabled': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    // Firefox would offer to translate the Arabic page, in a dialog that takes the focus.
    'browser.translations.enable': false,
  }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  write('firefox/user.js', lines.join('\n'))
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [chunk] = stdout ? await once(stdout, 'data') : []
  return String(chunk).trim()
}

async function waitUntil(program: string, isReady: () => boolean): Promise<void> {
  const deadline = Date.now() + startTime
  while (!isReady()) {
    if (Date.now() > deadline) throw new Error(`${program} did not start within ${startTime / 1_000} seconds.`)
    await pause(100)
  }
}

/** The processes with this home folder, also those that leave the process that started them, as the bus and Firefox do. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`HOME=${folder}`))
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // The process has ended, or belongs to someone else.
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has just ended.
  }
}
