import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineMain } from '@storybook/react-vite/node'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import type { Manifests } from 'storybook/internal/types'
import { readReference } from './readReference.ts'
import { addHeadings } from './searchHeadings.ts'

/** What the package exports, for the pages of the reference. Storybook reads it at each start and build. */
const referenceModule = 'virtual:petstore-reference'

const root = join(import.meta.dirname, '..')

/**
 * What Storybook tells agents about the components. It takes each component of a story for one that the package exports, so
 * those of demos and examples are left out. So are the paths of the machine that builds it.
 */
function ofPackage({ components: manifest, ...others }: Manifests): Manifests {
  if (!manifest) return others
  const found = Object.entries(manifest.components).filter(([, { name }]) =>
    existsSync(join(root, 'src/components', name)),
  )
  const published: typeof found = JSON.parse(JSON.stringify(found).replaceAll(`${root}/`, './'))
  return { ...others, components: { ...manifest, components: Object.fromEntries(published) } }
}

export default defineMain({
  framework: '@storybook/react-vite',
  staticDirs: ['./public', { from: '../docs', to: '/files/docs' }, { from: '../skills', to: '/files/skills' }],
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  core: { disableTelemetry: true, enableCrashReports: false, disableWhatsNewNotifications: true },
  features: {
    sidebarOnboardingChecklist: false,
    experimentalSearchDocsHeadings: true,
    experimentalCodeExamples: true,
    componentsManifest: true,
  },
  experimental_manifests: ofPackage,
  typescript: { reactDocgen: 'react-docgen' },
  // Storybook's placeholder of a page: a table that moves on a phone while its styles load, and is not what follows.
  previewHead: (head = '') => `${head}<style>.sb-preparing-docs { visibility: hidden }</style>`,
  storyIndexGenerator: (generator: StoryIndexGenerator) => addHeadings(generator, root),
  viteFinal: (config) => ({
    ...config,
    plugins: [
      ...(config.plugins ?? []),
      {
        name: 'petstore-reference',
        resolveId: (id) => (id === referenceModule ? `\0${referenceModule}` : undefined),
        load: (id) =>
          id === `\0${referenceModule}` ? `export const reference = ${JSON.stringify(readReference(root))}` : undefined,
      },
    ],
  }),
})
