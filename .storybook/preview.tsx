import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { type ComponentType, type ReactElement, useEffect, useState } from 'react'
import { configure } from 'storybook/test'
import '../src/devtools.css'
import '../src/styles.css'
import { checkEveryLook } from './checkEveryLook.ts'
import { checkLayout } from './checkLayout.ts'
import { isDeep } from './isDeep.ts'
import { isTest } from './isTest.ts'
import './preview.css'
import { plainControls } from './plainControls.ts'
import { serviceAddon } from './serviceAddon.tsx'
import { type TranslatedPage, translatePage } from './translatePage.ts'
import { watchConsole } from './watchConsole.ts'

/** What axe looks for: WCAG 2.2 AA and good practice, the size of targets included. */
const rules = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
}

/** Later rows of a long list look like the first ones, and each costs time. */
const laterRows = ['li:nth-child(n + 13)']

// Testing Library waits for one second by default, which is too short on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

/** Loads a component at its first use, or by `start`. Suspense would show it up to 300 ms after it has loaded. */
function whenLoaded<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const start = () => (loading ??= load().then((component) => (loaded = component)))
  function WhenLoaded(props: Props): ReactElement | null {
    const [Loaded, setLoaded] = useState(() => loaded)
    useEffect(() => {
      void start().then((component) => setLoaded(() => component))
    }, [])
    return Loaded ? <Loaded {...props} /> : null
  }
  return { start, WhenLoaded }
}

const componentPage = whenLoaded(
  async () => (await import('../stories/docs/components/ComponentPage.tsx')).ComponentPage,
)

const docsFrame = whenLoaded(async () => {
  const { DocsFrame, loadHighlighter } = await import('./DocsFrame.tsx')
  // The page loads first: the frame's table of contents looks for headings once, right after the frame has appeared.
  await Promise.all([loadHighlighter(), componentPage.start()])
  return DocsFrame
})

// Loads the modules of docs pages first if the address is that of a docs page. The first page has the id `*`.
const opened = new URLSearchParams(location.search)
if (opened.get('viewMode') === 'docs' || opened.get('id') === '*') void docsFrame.start()

/** Whether the stories run on a page that a translator changes. That run of the tests checks texts, and no accessibility. */
const isTranslated = import.meta.env['TRANSLATED'] === 'yes'

let endWatch: () => readonly string[] = () => []
let translated: TranslatedPage | undefined

export default definePreview({
  addons: [addonDocs(), addonA11y(), serviceAddon()],
  tags: ['autodocs'],
  argTypesEnhancers: [plainControls],
  parameters: {
    options: {
      storySort: {
        includeNames: true,
        order: [
          'petstore-react',
          'Design',
          ['Situations and icons', 'Theme builder', 'Tokens'],
          'Components',
          // Each component by its name: one entry for all of them (`'*'`) would mix their stories.
          [
            'CategoryList',
            ['Docs', 'All states'],
            'CategoryForm',
            ['Docs', 'All states'],
            'CategoryManager',
            ['Docs', 'All states'],
            'MessageComposer',
            ['Docs', 'All states'],
            'RateLimitBadge',
            ['Docs', 'All states'],
            'ErrorNotice',
            ['Docs', 'All states'],
          ],
          'Guides',
          [
            'Start in your framework',
            'Build your own interface with hooks',
            'Call operations of your own',
            'Recipes',
            'Stay within the request limit',
            'Handle errors',
            'Keep the API key safe',
            'Render on a server',
            'Test your app',
            'See why a call waits',
            'Change the look',
          ],
          'Demos',
          'Recipes',
          'Examples',
          'Developer tools',
          'Reference',
          ['Hooks and components', 'Client', 'Server', 'TanStack Query', 'Testing', 'Developer tools'],
        ],
      },
    },
    docs: {
      toc: { headingSelector: 'h2, h3' },
      container: docsFrame.WhenLoaded,
      page: componentPage.WhenLoaded,
      codePanel: true,
    },
    controls: { expanded: true },
    backgrounds: { disable: true }, // the theme sets the page's colors
    a11y: {
      test: isTranslated ? 'off' : 'error',
      // Axe also describes what passes, which nobody reads in a test.
      options: isTest ? { ...rules, resultTypes: ['violations' as const] } : rules,
      context: { exclude: isTest && !isDeep ? laterRows : [] },
    },
  },
  beforeEach: ({ canvasElement }) => {
    if (isTest) endWatch = watchConsole()
    if (!isTranslated) return undefined
    translated = translatePage(canvasElement.ownerDocument.body)
    return translated.stop
  },
  afterEach: async ({ canvasElement, parameters }) => {
    const complaints = [...endWatch(), ...(translated?.staleTexts() ?? [])]
    if (complaints.length > 0) throw new Error(`The story complains: ${complaints.join('\n')}`)
    // The accessibility addon has checked the look that is on screen.
    const { a11y } = parameters as { a11y?: { test?: string } }
    if (isTest && a11y?.test === 'error') {
      if (isDeep) await checkEveryLook(canvasElement, rules)
      await checkLayout(canvasElement)
    }
  },
})
