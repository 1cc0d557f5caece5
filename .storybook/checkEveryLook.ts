import type { RunOptions } from 'axe-core'

/** One way to look at a page. */
interface Look {
  readonly name: string
  readonly scheme: 'light' | 'dark'
  readonly contrast: 'usual' | 'more'
  readonly direction: 'ltr' | 'rtl'
  /** Whether the system chooses all colors (`forced-colors`). */
  readonly isForced: boolean
}

const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  (['ltr', 'rtl'] as const).flatMap((direction) => [
    { name: `${scheme}, ${direction}`, scheme, direction, contrast: 'usual', isForced: false },
    { name: `${scheme}, ${direction}, more contrast`, scheme, direction, contrast: 'more', isForced: false },
    { name: `${scheme}, ${direction}, forced colors`, scheme, direction, contrast: 'usual', isForced: true },
  ]),
)

/**
 * Checks a story, as it stands after its play function, in each theme, from right to left too, and in forced colors.
 *
 * @throws Error that names what axe found, and in which look
 */
export async function checkEveryLook(story: HTMLElement, options: RunOptions): Promise<void> {
  const [{ default: axe }, { cdp, server }] = await Promise.all([import('axe-core'), import('vitest/browser')])
  if (server.browser !== 'chromium') return // the others emulate no forced colors
  const root = document.documentElement
  const { dir } = root
  const { theme = 'light', petstoreContrast = 'usual' } = root.dataset
  const found: string[] = []
  try {
    for (const { name, scheme, contrast, direction, isForced } of looks) {
      root.dataset['theme'] = scheme
      root.dataset['petstoreContrast'] = contrast
      root.dir = direction
      await emulate(cdp(), isForced, scheme)
      const isEmulated = matchMedia('(forced-colors: active)').matches === isForced
      if (!isEmulated || !matchMedia('(prefers-reduced-motion)').matches) throw new Error(`Cannot look at ${name}.`)
      const { violations } = await axe.run({ include: story }, options)
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id} (${nodes.map(({ html }) => html).join(' ')})`))
    }
  } finally {
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

/** The media features that the page emulates now, as JSON. */
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
  // Its type depends on the browser provider of Vitest, which the stories do not know.
  await (session as Session).send('Emulation.setEmulatedMedia', { features })
  emulated = wanted
}
