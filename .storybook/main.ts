import { join } from 'node:path'
import { defineMain } from '@storybook/react-vite/node'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import { llmsFiles } from '../stories/docs/llmsFiles.ts'
import { entries, publicNames } from './entries.ts'
import { addHeadings } from './searchHeadings.ts'
import { readApi } from './readApi.ts'

/** The API of the source, for the docs pages. Storybook loads it at each start and build. */
const apiModule = 'virtual:petstore-api'

const root = join(import.meta.dirname, '..')

function renderApiModule(): string {
  const names = Object.entries(entries).map(([entry, path]) => [entry, publicNames(join(root, path))])
  return `export const api = ${JSON.stringify(readApi(join(root, 'src')))}
export const entries = ${JSON.stringify(Object.fromEntries(names))}`
}

export default defineMain({
  framework: '@storybook/react-vite',
  staticDirs: ['./public'],
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  core: { disableTelemetry: true, enableCrashReports: false, disableWhatsNewNotifications: true },
  features: { sidebarOnboardingChecklist: false, experimentalSearchDocsHeadings: true },
  // The tables of props take a third of the time of a build. The daily tests do without.
  typescript: { reactDocgen: process.env['PLAYGROUND_WITHOUT_DOCGEN'] ? false : 'react-docgen' },
  storyIndexGenerator: (generator: StoryIndexGenerator) => addHeadings(generator, root),
  viteFinal: (config) => ({
    ...config,
    plugins: [
      ...(config.plugins ?? []),
      {
        name: 'petstore-api',
        resolveId: (id) => (id === apiModule ? `\0${apiModule}` : undefined),
        load: (id) => (id === `\0${apiModule}` ? renderApiModule() : undefined),
      },
      {
        name: 'petstore-llms-files',
        apply: 'build',
        generateBundle() {
          for (const [fileName, source] of Object.entries(llmsFiles(readApi(join(root, 'src'))))) {
            this.emitFile({ type: 'asset', fileName, source })
          }
        },
      },
    ],
  }),
})
