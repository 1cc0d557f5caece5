import type { RunOptions } from 'axe-core'

/** One way to look at a page. */
interface Look {
  readonly name: string
  readonly scheme: 'light' | 'dark'
  readonly contrast: 'usual' | 'more'
  readonly direction: 'ltr' | 'rtl'
  /** Whether the system chooses all colours. */
  readonly isForced: boolean
}

const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  (['ltr', 'rtl'] as const).flatMap((direction) => [
    { name: `${scheme}, ${direction}`, scheme, direction, contrast: 'usual', isForced: false },
    { name: `${scheme}, ${direction}, more contrast`, scheme, direction, contrast: 'more', isForced: false },
    { name: `${scheme}, ${direction}, forced colours`, scheme, direction, contrast: 'usual', isForced: true },
  ]),
)

/**
 * Checks a story, as it stands after its play function, in every theme and direction, and in forced colours.
 *
 * @throws Error that names what axe found, and in which look
 */
export async function checkEveryLook(story: HTMLElement, options: RunOptions): Promise<void> {
  const [{ default: axe }, { cdp }] = await Promise.all([import('axe-core'), import('vitest/browser')])
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
      if (matchMedia('(forced-colors: active)').matches !== isForced) throw new Error(`Cannot look at ${name}.`)
      const { violations } = await axe.run(story, options)
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

function emulate(session: object, isForced: boolean, scheme: string): Promise<unknown> {
  const features = [
    { name: 'forced-colors', value: isForced ? 'active' : '' },
    { name: 'prefers-color-scheme', value: isForced ? scheme : '' },
    // Colours that still change are none of either look.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]
  // Its type depends on the provider of the browser, which the stories do not know.
  return (session as Session).send('Emulation.setEmulatedMedia', { features })
}
