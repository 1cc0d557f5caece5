import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The Debian package of each program that `startDesktop` starts. */
const packages = {
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus-daemon',
  openbox: 'openbox',
  xdotool: 'xdotool',
  'speech-dispatcher': 'speech-dispatcher',
  orca: 'orca',
  'firefox-esr': 'firefox-esr',
}

const folders = (process.env['PATH'] ?? '').split(delimiter)

/** The Debian packages whose programs are not on this machine. */
export const missingPackages: readonly string[] = Object.entries(packages)
  .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
  .map(([, name]) => name)
