import { join } from 'node:path'
import { defineMain } from '@storybook/react-vite/node'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import type { Plugin } from 'vite'
import { llmsFiles } from '../stories/docs/llmsFiles.ts'
import { withStoryCode } from './componentManifest.ts'
import { entries, publicNames } from './entries.ts'
import { addHeadings } from './searchHeadings.ts'
import { readApi } from './readApi.ts'
import { hasCode, readStoryCode } from './storyCode.ts'

/** The API of the source, for the docs pages. Storybook loads it at each start and build. */
const apiModule = 'virtual:petstore-api'

const root = join(import.meta.dirname, '..')

function renderApiModule(): string {
  const names = Object.entries(entries).map(([entry, path]) => [entry, publicNames(join(root, path))])
  return `export const api = ${JSON.stringify(readApi(join(root, 'src')))}
export const entries = ${JSON.stringify(Object.fromEntries(names))}`
}

/** Gives each story its code as a parameter, for "Show code" on docs pages and the panel "Code". */
const storyCode: Plugin = {
  name: 'petstore-story-code',
  enforce: 'pre',
  transform(source, id) {
    if (!id.endsWith('.stories.tsx')) return undefined
    const stories = readStoryCode(id)
    for (const file of stories.filter(hasCode).flatMap(({ files }) => files)) this.addWatchFile(file)
    const parameters = stories.map((story) => {
      const docs = hasCode(story)
        ? { source: { code: story.code, language: 'tsx' } }
        : { canvas: { sourceState: 'none' }, codePanel: false }
      const input = `${story.story}.input`
      return `\n${input}.parameters = { ...${input}.parameters, docs: { ...${input}.parameters?.docs, ...${JSON.stringify(docs)} } }`
    })
    return { code: source + parameters.join(''), map: null }
  },
}

export default defineMain({
  framework: '@storybook/react-vite',
  staticDirs: ['./public'],
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  core: { disableTelemetry: true, enableCrashReports: false, disableWhatsNewNotifications: true },
  features: {
    sidebarOnboardingChecklist: false,
    experimentalSearchDocsHeadings: true,
    componentsManifest: true,
  },
  typescript: { reactDocgen: 'react-docgen' },
  experimental_manifests: withStoryCode,
  // Storybook's placeholder of a page: a table that moves on a phone while its styles load, and is not what follows.
  previewHead: (head = '') => `${head}<style>.sb-preparing-docs { visibility: hidden }</style>`,
  storyIndexGenerator: (generator: StoryIndexGenerator) => addHeadings(generator, root),
  viteFinal: (config) => ({
    ...config,
    plugins: [
      ...(config.plugins ?? []),
      storyCode,
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
