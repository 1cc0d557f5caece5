import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../startServer.ts'
import { createWebDriver, type WebDriver } from './WebDriver.ts'

/** The browser that comes with Debian's package `webkit2gtk-driver` and its libraries. */
const browser = {
  binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  args: ['--automation'],
}

export interface WebKitOptions {
  /** Whether the window is private: its site data is deleted with it. */
  readonly isPrivate?: boolean
}

/** Starts WebKitGTK on a screen of its own. `close` ends everything that this started. */
export async function startWebKit({ isPrivate = false }: WebKitOptions = {}): Promise<WebDriver> {
  const started: ChildProcess[] = []
  const end = () => {
    for (const child of started.toReversed()) child.kill()
  }
  process.once('exit', end)
  try {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1700x1300x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    started.push(screen)
    const [display] = (await once(screen.stdio[3] ?? screen, 'data')) as [Buffer]
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const env = { ...process.env, DISPLAY: `:${String(display).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' }
    started.push(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }))
    await waitUntilReady(address)
    const args = isPrivate ? [...browser.args, '--private'] : browser.args
    const driver = await createWebDriver(address, { 'webkitgtk:browserOptions': { ...browser, args } })
    return {
      ...driver,
      close: async () => {
        process.off('exit', end)
        await driver.close()
        end()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

async function waitUntilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${address}/status`).catch(() => undefined)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error('WebKitWebDriver has not started within 10 s.')
}
