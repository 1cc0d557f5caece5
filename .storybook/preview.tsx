import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import '../src/styles.css'
import './preview.css'
import { petstoreService } from './serviceAddon.tsx'

export default definePreview({
  addons: [addonDocs(), addonA11y(), petstoreService()],
  tags: ['autodocs'],
  parameters: {
    backgrounds: { disable: true }, // the theme sets the page's colours
    a11y: {
      test: 'error',
      options: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
      config: { rules: [{ id: 'target-size', enabled: true }] },
    },
  },
})
