import { join } from 'node:path'
import { defineBrowserProvider, parseKeyDef } from '@vitest/browser'
import type { BrowserCommand, BrowserProviderOption, TestProject } from 'vitest/node'
import { fillFocusedField } from './fillFocusedField.ts'
import type { WebDriver } from './WebDriver.ts'

/** The keys that are no characters, as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const keys: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
}

/** The value of a key in a WebDriver action. @throws Error if this project has not used the key yet */
function keyOf(key: string): string {
  const value = keys[key] ?? (key.length === 1 ? key : undefined)
  if (value === undefined) throw new Error(`The key ${key} is missing in webDriverProvider.ts.`)
  return value
}

/** The keys that are still down. */
interface KeyboardState {
  readonly unreleased: readonly string[]
}

const press = { type: 'pointerDown', button: 0 }
const release = { type: 'pointerUp', button: 0 }

/**
 * Lets Vitest run its browser tests over classic WebDriver. It offers what the tests of this project use: pointer,
 * keyboard, `fill` and `clear`.
 */
export function webDriverProvider(browser: string, start: () => Promise<WebDriver>): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'webdriver',
    supportedBrowser: [browser],
    providerFactory: (project) => {
      let driver: Promise<WebDriver> | undefined
      const running = () => (driver ??= start())
      registerCommands(project, running)
      return {
        name: 'webdriver',
        supportsParallelism: false,
        initScripts: [join(import.meta.dirname, 'webDriverLocators.ts')],
        getCommandsContext: () => ({}),
        openPage: async (_, url) => {
          const { send } = await running()
          await send('POST', '/window/rect', { x: 0, y: 0, width: 1600, height: 1250 })
          await send('POST', '/timeouts', { script: 60_000 })
          await send('POST', '/url', { url })
        },
        close: async () => {
          await (await driver)?.close()
          driver = undefined
        },
      }
    },
  })
}

function registerCommands(project: TestProject, running: () => Promise<WebDriver>): void {
  /** Switches the driver to the frame of the tests. Each test file has a new frame. */
  const inFrame = async () => {
    const driver = await running()
    await driver.send('POST', '/frame', { id: null })
    await driver.send('POST', '/frame', { id: await driver.find('iframe[data-vitest]') })
    return driver
  }
  let moves = 0
  /** Points at an element, as a person does. The place alternates: two quick clicks at one place would be a double click. */
  const pointAt = async (driver: WebDriver, selector: string, ...presses: readonly object[]) => {
    const origin = await driver.find(selector)
    await driver.execute((path) => {
      document.querySelector(path)?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    }, selector)
    moves += 1
    const x = moves % 2 === 0 ? 4 : -4
    await driver.point([{ type: 'pointerMove', duration: 0, origin, x, y: 0 }, ...presses])
  }
  const click = (times: number): BrowserCommand<[selector: string]> => {
    const presses = Array.from({ length: times }, () => [press, release]).flat()
    return async (_, selector) => pointAt(await inFrame(), selector, ...presses)
  }
  const type = async (driver: WebDriver, text: string, unreleased: readonly string[]): Promise<KeyboardState> => {
    const down = new Set(unreleased)
    const actions: object[] = []
    for (const { keyDef, releasePrevious, releaseSelf, repeat } of parseKeyDef(text)) {
      const value = keyOf(keyDef.key ?? '')
      if (down.delete(value)) actions.push({ type: 'keyUp', value })
      if (releasePrevious) continue
      actions.push(...Array.from({ length: repeat }, () => ({ type: 'keyDown', value })))
      if (releaseSelf) actions.push({ type: 'keyUp', value })
      else down.add(value)
    }
    await driver.press(actions)
    return { unreleased: [...down] }
  }
  const fill: BrowserCommand<[selector: string, text: string]> = async (_, selector, text) => {
    const driver = await inFrame()
    await driver.execute((path) => document.querySelector<HTMLElement>(path)?.focus(), selector)
    await driver.execute(fillFocusedField, text)
  }

  const commands: Readonly<Record<string, BrowserCommand<never>>> = {
    __vitest_click: click(1),
    __vitest_dblClick: click(2),
    __vitest_hover: async (_, selector: string) => pointAt(await inFrame(), selector),
    __vitest_fill: fill,
    __vitest_clear: (context, selector: string) => fill(context, selector, ''),
    __vitest_tab: async (_, { shift = false }: { shift?: boolean }) => {
      await type(await inFrame(), shift ? '{Shift>}{Tab}{/Shift}' : '{Tab}', [])
    },
    __vitest_keyboard: async (_, text: string, { unreleased }: KeyboardState) =>
      type(await inFrame(), text, unreleased),
    __vitest_type: async (_, selector: string, text: string, { unreleased }: KeyboardState) => {
      const driver = await inFrame()
      const isFocused = await driver.execute((path) => document.activeElement?.matches(path), selector)
      if (!isFocused) await pointAt(driver, selector, press, release)
      return type(driver, text, unreleased)
    },
    __vitest_cleanup: async (_, { unreleased }: KeyboardState) => {
      await (await inFrame()).press(unreleased.map((value) => ({ type: 'keyUp', value })))
    },
  }
  for (const [name, command] of Object.entries(commands))
    project.browser?.registerCommand(name as never, command as never)
}
