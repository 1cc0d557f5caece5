import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { configure } from 'storybook/test'
import '../src/styles.css'
import { checkEveryLook, excluded } from './checkEveryLook.ts'
import { isTest } from './isTest.ts'
import './preview.css'
import { plainControls } from './plainControls.ts'
import { serviceAddon } from './serviceAddon.tsx'
import { watchConsole } from './watchConsole.ts'

/** What axe looks for: WCAG 2.2 AA and good practice, the size of targets included. */
const rules = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
}

// A busy machine takes longer than the usual second for what is not about time at all.
configure({ asyncUtilTimeout: 10_000 })

let endWatch: () => readonly string[] = () => []

export default definePreview({
  addons: [addonDocs(), addonA11y(), serviceAddon()],
  tags: ['autodocs'],
  argTypesEnhancers: [plainControls],
  parameters: {
    options: {
      storySort: {
        order: [
          'Guides',
          ['Start', 'Rate limits', 'Errors', 'Keys and security', 'Server rendering', 'Testing your app', 'Theming'],
          'Components',
          'Demos',
          'Recipes',
          'Examples',
          'Hooks',
        ],
      },
    },
    docs: { toc: { headingSelector: 'h2, h3' }, codePanel: true },
    controls: { expanded: true },
    backgrounds: { disable: true }, // the theme sets the page's colors
    a11y: { test: 'error', options: rules, context: { exclude: excluded } },
  },
  beforeEach: () => {
    if (isTest) endWatch = watchConsole()
  },
  afterEach: async ({ canvasElement, parameters }) => {
    const complaints = endWatch()
    if (complaints.length > 0) throw new Error(`The story complains: ${complaints.join('\n')}`)
    // The accessibility panel checks the look that is on screen; a test checks all the others too.
    const { a11y } = parameters as { a11y?: { test?: string } }
    if (isTest && a11y?.test === 'error') await checkEveryLook(canvasElement, rules)
  },
})
