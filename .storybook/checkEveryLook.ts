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

/** The rules whose result depends on colors or on where things are. The others judge the markup, the same in each look. */
const visualRules: RunOptions = {
  runOnly: {
    type: 'rule',
    values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
  },
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
  const [{ default: axe }, { cdp }] = await Promise.all([import('axe-core'), import('vitest/browser')])
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
    for (const { name, scheme, contrast, direction, isForced } of isDeep ? looks : dailyLooks) {
      // The accessibility addon has checked the look that is on screen, by every rule.
      const isOnScreen = scheme === theme && contrast === petstoreContrast && direction === (dir || 'ltr') && !isForced
      if (isOnScreen && !isDeep) continue
      root.dataset['theme'] = scheme
      root.dataset['petstoreContrast'] = contrast
      root.dir = direction
      await emulate(cdp(), isForced, scheme)
      if (matchMedia('(forced-colors: active)').matches !== isForced) throw new Error(`Cannot look at ${name}.`)
      const { violations } = await axe.run(context, isDeep ? options : visualRules)
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

function emulate(session: object, isForced: boolean, scheme: string): Promise<unknown> {
  const features = [
    { name: 'forced-colors', value: isForced ? 'active' : '' },
    { name: 'prefers-color-scheme', value: isForced ? scheme : '' },
    // A color that is still changing belongs to neither look.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]
  // Its type depends on the provider of the browser, which the stories do not know.
  return (session as Session).send('Emulation.setEmulatedMedia', { features })
}
