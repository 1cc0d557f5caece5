import { defineBrowserProvider } from '@vitest/browser'
import { PlaywrightBrowserProvider } from '@vitest/browser-playwright'
import type { LaunchOptions } from 'playwright'
import type { BrowserCommand, BrowserProviderOption } from 'vitest/node'
import { fillFocusedField } from './fillFocusedField.ts'

/** Fills a field as a paste does. Playwright's own `fill` sets the value in a way that React does not notice in Firefox. */
const fill: BrowserCommand<[selector: string, text: string]> = async (context, selector, text) => {
  await context.iframe.locator(selector).focus()
  const frame = await context.frame()
  await frame.evaluate(fillFocusedField, text)
}

/** Takes the last frame as that of the tests. Vitest looks for it by name, which may come late over WebDriver BiDi. */
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
