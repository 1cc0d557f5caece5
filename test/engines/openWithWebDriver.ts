import type { EngineBrowser, EngineBrowserOptions, EngineTab } from './EngineBrowser.ts'
import { startWebKit } from './startWebKit.ts'

/** WebKitGTK over classic WebDriver, which speaks to one tab at a time. */
export async function openWithWebDriver(options: EngineBrowserOptions): Promise<EngineBrowser> {
  const driver = await startWebKit(options)
  let last: Promise<unknown> = Promise.resolve()
  /** Runs one task after the other. */
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
  const openWindow = async () => {
    const { handle } = (await driver.send('POST', '/window/new', { type: 'tab' })) as { handle: string }
    return handle
  }
  /** The first tab is there from the start. Only this one is visible: the driver opens all others behind it. */
  let firstHandle: string | undefined = (await driver.send('GET', '/window')) as string
  const openTab = async (): Promise<EngineTab> => {
    const handle = firstHandle ?? (await inTurn(openWindow))
    firstHandle = undefined
    const inTab = <Result>(task: () => Promise<Result>) =>
      inTurn(async () => {
        await driver.send('POST', '/window', { handle })
        return task()
      })
    return {
      open: async (url) => void (await inTab(() => driver.send('POST', '/url', { url }))),
      reload: async () => void (await inTab(() => driver.send('POST', '/refresh'))),
      run: (task, ...args) => inTab(() => driver.execute(task, ...args)),
      hide: async () => {
        const state = await inTab(() => driver.execute(() => document.visibilityState))
        if (state !== 'hidden') throw new Error('WebKitGTK hides every tab but the first, and cannot hide that one.')
      },
      show: async () => {},
    }
  }
  return { version: driver.version, openTab, close: driver.close }
}
