import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import type { ToolbarGlobals } from '../../.storybook/toolbar.ts'
import { otherFonts, pinFonts } from './pinnedFonts.ts'

export interface Picture {
  /** Its id in the playground's address. */
  readonly story: string
  /** Of the page, in px. Default 640. */
  readonly width?: number
  /** What is chosen in the toolbar. */
  readonly globals?: Partial<ToolbarGlobals>
  readonly forcedColors?: BrowserContextOptions['forcedColors']
  /** What is done or waited for before the picture is taken. Under another language play functions do not run. */
  readonly act?: (page: Page) => Promise<void>
}

declare global {
  /** Storybook's own, as far as it is needed here. */
  // oxlint-disable-next-line no-underscore-dangle
  var __STORYBOOK_ADDONS_CHANNEL__: { readonly last: (event: string) => readonly unknown[] | undefined } | undefined
}

/** What Storybook has told last under this name. For use in the page. */
// oxlint-disable-next-line no-underscore-dangle
const lastTold = (event: string) => globalThis.__STORYBOOK_ADDONS_CHANNEL__?.last(event)?.[0]

/** The page is cut off below this. */
const maxHeight = 1000

export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  await pinFonts(context)
  // The clock stands, and timers run: play functions wait for what they expect, but no countdown moves.
  await context.clock.setFixedTime('2026-03-14T09:26:53Z')
  return context
}

/** Of a story after its play function. `home` is the playground's address. */
export async function takePicture(context: BrowserContext, home: string, picture: Picture): Promise<Buffer> {
  const { story, width = 640, globals = {}, forcedColors = 'none', act } = picture
  const page = await context.newPage()
  try {
    await page.setViewportSize({ width, height: maxHeight })
    await page.emulateMedia({ forcedColors })
    const chosen = Object.entries({ ...globals, 'a11y.manual': '!true' }).map(([name, value]) => `${name}:${value}`)
    await page.goto(`${home}iframe.html?id=${story}&viewMode=story&globals=${chosen.join(';')}`)
    await page.waitForFunction(lastTold, 'storyFinished')
    for (const event of ['storyThrewException', 'playFunctionThrewException']) {
      const error = await page.evaluate(lastTold, event)
      if (error !== undefined) throw new Error(`The story ${story} has failed.`, { cause: error })
    }
    await act?.(page)

    await page.addStyleTag({ content: '.story-service { display: none }' })
    await page.evaluate(() => document.fonts.ready)
    const others = await otherFonts(page)
    if (others.length > 0) throw new Error(`Text in fonts that are not pinned:\n${others.join('\n')}`)
    const box = await page.locator('#storybook-root').boundingBox()
    if (!box) throw new Error(`The story ${story} shows nothing.`)
    return await page.screenshot({
      clip: { x: 0, y: 0, width, height: Math.min(box.height + 2 * box.y, maxHeight) },
      animations: 'disabled',
      caret: 'hide',
    })
  } finally {
    await page.close()
  }
}
