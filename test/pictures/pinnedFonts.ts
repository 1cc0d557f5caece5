import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'

const require = createRequire(import.meta.url)

/** The styles of the pinned fonts, in the order in which the browser looks for a glyph. */
const styleSheets = [
  require.resolve('@fontsource-variable/noto-sans/wght.css'),
  require.resolve('@fontsource-variable/noto-sans-arabic/wght.css'),
  require.resolve('@fontsource-variable/noto-sans-jp/wght.css'),
  require.resolve('@fontsource/noto-color-emoji/emoji.css'), // `index.css` has the emoji in parts, which the pinned browser leaves blank
]
const families = "'Noto Sans Variable', 'Noto Sans Arabic Variable', 'Noto Sans JP Variable', 'Noto Color Emoji'"

/** A made-up origin of the fonts. `pinFonts` responds to its requests with files of the packages. */
const origin = 'https://fonts.test'

const faces = styleSheets.map((file, index) => readFileSync(file, 'utf8').replaceAll('url(.', `url(${origin}/${index}`))

// Only the story's parent has the fonts, so that `unpinnedFonts` finds a component that does not inherit its font.
const css = [
  ...faces,
  `#storybook-root { font-family: ${families} }`,
  '.story-service { display: none }', // the line below the story that names its service
].join('\n')

/** Makes the pages show their text in the pinned fonts, whatever fonts the machine has. */
export async function pinFonts(context: BrowserContext): Promise<void> {
  await context.addInitScript((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, css)
  await context.route(`${origin}/**`, (route) => {
    const [, index, ...path] = new URL(route.request().url()).pathname.split('/')
    const folder = dirname(styleSheets[Number(index)] ?? '')
    return route.fulfill({ path: join(folder, ...path), headers: { 'Access-Control-Allow-Origin': '*' } })
  })
}

/** The fonts of this machine that the page uses, each with the element: on another machine the text may look different. */
export async function unpinnedFonts(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '#storybook-root *' })
  const found = await Promise.all(
    nodeIds.map(async (nodeId) => {
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      const names = fonts.filter(({ isCustomFont }) => !isCustomFont).map(({ familyName }) => familyName)
      if (names.length === 0) return []
      const { outerHTML } = await session.send('DOM.getOuterHTML', { nodeId })
      return [`${names.join(', ')}: ${outerHTML}`]
    }),
  )
  await session.detach()
  return found.flat()
}
