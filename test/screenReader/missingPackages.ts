import { isInstalled } from '../engines/engines.ts'

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

/** The Debian packages whose programs are not on this machine. */
export const missingPackages: readonly string[] = Object.entries(packages)
  .filter(([program]) => !isInstalled(program))
  .map(([, name]) => name)
