import type { ElementContext, RunOptions } from 'axe-core'
import { isTest } from './isTest.ts'

/** One way to look at a page. */
interface Look {
  readonly name: string
  readonly scheme: 'light' | 'dark'
  readonly contrast: 'usual' | 'more'
  readonly direction: 'ltr' | 'rtl'
  /** Whether the system chooses all colors. */
  readonly isForced: boolean
}

const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  (['ltr', 'rtl'] as const).flatMap((direction) => [
    { name: `${scheme}, ${direction}`, scheme, direction, contrast: 'usual', isForced: false },
    { name: `${scheme}, ${direction}, more contrast`, scheme, direction, contrast: 'more', isForced: false },
    { name: `${scheme}, ${direction}, forced colors`, scheme, direction, contrast: 'usual', isForced: true },
  ]),
)

/** Colors do not depend on the direction, so one look from right to left is enough. */
const dailyLooks = looks.filter(({ name, direction }) => direction === 'ltr' || name === 'light, rtl')

const colorRules = ['color-contrast', 'link-in-text-block']
const layoutRules = ['scrollable-region-focusable', 'target-size']

/**
 * The rules whose result may differ in a look from the one on screen. Dark and light differ in colors alone. The rules that
 * are in neither list judge the markup, the same in each look.
 */
function dailyRules({ scheme, direction }: Look): RunOptions {
  const rules = direction === 'rtl' ? layoutRules : scheme === 'dark' ? colorRules : [...colorRules, ...layoutRules]
  return { runOnly: { type: 'rule', values: rules } }
}

/** `vitest run --mode deep` leaves nothing out. */
const isDeep = import.meta.env.MODE === 'deep'

/** What tests leave out daily. Later rows of a long list look like the first ones, and each costs time. */
export const excluded: string[] = isTest && !isDeep ? ['li:nth-child(n + 13)'] : []

/**
 * Checks a story, as it stands after its play function, in other themes, from right to left, and in forced colors.
 *
 * @throws Error that names what axe found, and in which look
 */
export async function checkEveryLook(story: HTMLElement, options: RunOptions): Promise<void> {
  const [{ default: axe }, { cdp, server }] = await Promise.all([import('axe-core'), import('vitest/browser')])
  if (server.browser !== 'chromium') return // the others emulate no forced colors
  const context: ElementContext = { include: story, exclude: excluded }
  const root = document.documentElement
  const { dir } = root
  const { theme = 'light', petstoreContrast = 'usual' } = root.dataset
  const found: string[] = []
  // axe lays out the whole page in each look, also what it does not check.
  const hidesExcluded = new CSSStyleSheet()
  hidesExcluded.replaceSync(excluded.map((selector) => `${selector} { display: none }`).join('\n'))
  document.adoptedStyleSheets.push(hidesExcluded)
  try {
    for (const look of isDeep ? looks : dailyLooks) {
      const { name, scheme, contrast, direction, isForced } = look
      // The accessibility addon has checked the look that is on screen, by every rule.
      const isOnScreen = scheme === theme && contrast === petstoreContrast && direction === (dir || 'ltr') && !isForced
      if (isOnScreen && !isDeep) continue
      root.dataset['theme'] = scheme
      root.dataset['petstoreContrast'] = contrast
      root.dir = direction
      await emulate(cdp(), isForced, scheme)
      const isEmulated = matchMedia('(forced-colors: active)').matches === isForced
      if (!isEmulated || !matchMedia('(prefers-reduced-motion)').matches) throw new Error(`Cannot look at ${name}.`)
      const { violations } = await axe.run(context, isDeep ? options : dailyRules(look))
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id} (${nodes.map(({ html }) => html).join(' ')})`))
    }
  } finally {
    document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(hidesExcluded), 1)
    root.dataset['theme'] = theme
    root.dataset['petstoreContrast'] = petstoreContrast
    root.dir = dir
    await emulate(cdp(), false, 'light')
  }
  if (found.length > 0) throw new Error(`Not accessible in every look:\n${found.join('\n')}`)
}

interface Session {
  send: (method: string, params: object) => Promise<unknown>
}

/** What the page emulates. The module lives as long as its page. */
let emulated = ''

async function emulate(session: object, isForced: boolean, scheme: string): Promise<void> {
  const features = [
    { name: 'forced-colors', value: isForced ? 'active' : '' },
    { name: 'prefers-color-scheme', value: isForced ? scheme : '' },
    // A color that is still changing belongs to neither look.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]
  const wanted = JSON.stringify(features)
  if (wanted === emulated) return // each call takes a quarter of the time of an axe run
  // Its type depends on the provider of the browser, which the stories do not know.
  await (session as Session).send('Emulation.setEmulatedMedia', { features })
  emulated = wanted
}
