import { defineBrowserProvider } from '@vitest/browser'
import { PlaywrightBrowserProvider } from '@vitest/browser-playwright'
import type { LaunchOptions } from 'playwright'
import type { BrowserCommand, BrowserProviderOption } from 'vitest/node'
import { fillFocusedField } from './fillFocusedField.ts'

/** Playwright sets a value in the page's own world, where React takes it for a value of its own and hears of no change. */
const fill: BrowserCommand<[selector: string, text: string]> = async (context, selector, text) => {
  await context.iframe.locator(selector).focus()
  const frame = await context.frame()
  await frame.evaluate(fillFocusedField, text)
}

/** Over WebDriver BiDi, Playwright may learn the name of a frame late, by which Vitest looks for the frame of the tests. */
class FirefoxProvider extends PlaywrightBrowserProvider {
  override getCommandsContext(sessionId: string) {
    const context = super.getCommandsContext(sessionId)
    return {
      ...context,
      frame: async () => context.page.mainFrame().childFrames().at(-1) ?? context.frame(),
    }
  }
}

/** Vitest's provider for Playwright, with what it takes to work with Firefox over WebDriver BiDi. */
export function firefoxProvider(launchOptions: LaunchOptions): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'playwright',
    providerFactory: (project) => {
      const contextOptions = { viewport: { width: 1600, height: 1200 } }
      const provider = new FirefoxProvider(project, { launchOptions, contextOptions })
      // The names of Vitest's own commands are not typed.
      project.browser?.registerCommand('__vitest_fill' as never, fill as never)
      return provider
    },
  })
}
