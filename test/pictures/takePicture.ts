import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import type { ToolbarGlobals } from '../../.storybook/toolbar.ts'
import { openStory, showStory } from '../playground/showStory.ts'
import { pinFonts, unpinnedFonts } from './pinnedFonts.ts'

export interface Picture {
  /** The story's id in the playground's address. */
  readonly story: string
  /** The width of the page in px. Default 640. */
  readonly width?: number
  /** What is chosen in the toolbar of the playground. */
  readonly globals?: Partial<ToolbarGlobals>
  readonly forcedColors?: BrowserContextOptions['forcedColors']
  /** The height of the picture in px. Default: that of the story. */
  readonly height?: number
  /** A selector of the element at which the picture begins. Default: the top of the story. */
  readonly from?: string
}

/** Takes one picture after the other in one page. */
export interface Camera {
  /** Takes a picture of a story after its play function. */
  readonly take: (picture: Picture) => Promise<Buffer>
}

/** The height of the page, and the greatest height of a picture, in px. */
const maxHeight = 1000

/**
 * @param home - the playground's address
 * @param deviceScaleFactor - pixels per px
 */
export async function openCamera(browser: Browser, home: string, deviceScaleFactor: number): Promise<Camera> {
  const context = await browser.newContext({
    deviceScaleFactor,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  await pinFonts(context)
  // The clock stands and timers run: play functions wait for what they expect, but no countdown moves.
  await context.clock.setFixedTime('2026-03-14T09:26:53Z')
  let shared: Page | undefined

  return {
    take: async (picture) => {
      shared ??= await openPage(context, home)
      const page = shared
      try {
        return await takePicture(page, picture)
      } catch (error) {
        shared = undefined
        await page.close()
        throw error
      }
    },
  }
}

async function openPage(context: BrowserContext, home: string): Promise<Page> {
  const page = await context.newPage()
  await openStory(page, home, 'ratelimitbadge--unknown') // any story: `showStory` replaces it
  return page
}

async function takePicture(page: Page, picture: Picture): Promise<Buffer> {
  const { story, width = 640, globals = {}, forcedColors = 'none', from = '#storybook-root' } = picture
  await page.setViewportSize({ width, height: maxHeight })
  await page.emulateMedia({ forcedColors })
  await showStory(page, story, globals)
  await page.evaluate(() => document.fonts.ready)
  const unpinned = await unpinnedFonts(page)
  if (unpinned.length > 0) throw new Error(`Text in fonts that are not pinned:\n${unpinned.join('\n')}`)
  const box = await page.locator('#storybook-root').boundingBox()
  if (!box) throw new Error(`The story ${story} shows nothing.`)
  const start = await page.locator(from).boundingBox()
  const top = (start?.y ?? box.y) - box.y
  const { height = Math.min(box.height + 2 * box.y - top, maxHeight) } = picture
  return page.screenshot({
    clip: { x: 0, y: top, width, height },
    animations: 'disabled',
    caret: forcedColors === 'none' ? 'hide' : 'initial', // forced colors replace the transparent color of `hide`
    style: forcedColors === 'none' ? '' : '* { caret-color: Canvas !important }',
  })
}
