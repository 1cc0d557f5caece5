import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineMain } from '@storybook/react-vite/node'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import type { Manifests } from 'storybook/internal/types'
import { simulateAll } from '../stories/quotaLab/simulateAll.ts'
import { addHeadings } from './addHeadings.ts'
import { readReference } from './readReference.ts'

const root = join(import.meta.dirname, '..')

/** Virtual modules, which each start and each build generates. */
const virtualModules: Readonly<Record<string, () => Promise<object> | object>> = {
  /** What the package exports, for the pages of the reference. */
  'virtual:petstore-reference': () => ({ reference: readReference(root) }),
  /** The results that the quota lab starts with, so that the first page of the playground shows them at once. */
  'virtual:petstore-first-results': async () => ({
    firstResults: await simulateAll({ scenario: 'four-tabs', plan: 'free' }),
  }),
}

/**
 * The manifest by which Storybook describes the components to coding agents, with those of the package alone: Storybook adds
 * the components of demos and examples. The paths of the machine that builds it become relative.
 */
function onlyPublished({ components: manifest, ...others }: Manifests): Manifests {
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
  experimental_manifests: onlyPublished,
  typescript: { reactDocgen: 'react-docgen' },
  // Hides Storybook's placeholder for a docs page: a table, which moves on a phone while its styles load. Until the page has
  // its theme, it has the background of Storybook around it, so that nothing flashes.
  previewHead: (head = '') => `${head}<style>
    .sb-preparing-docs { visibility: hidden }
    html:not([data-theme]) { color-scheme: light dark; background: light-dark(#ffffff, #181d26) }
    html:not([data-theme]) body { background: none !important }
    html:not([data-theme])::after {
      content: ''; position: fixed; inset: calc(50% - 16px); border: 2px solid #6163; border-top-color: #646464;
      border-radius: 50%; animation: sb-rotate360 .7s linear infinite;
    }
  </style>`,
  // A heading that the search finds may need more than one line.
  managerHead: (head = '') => `${head}<style>.search-result-item--label span { white-space: normal }</style>`,
  storyIndexGenerator: (generator: StoryIndexGenerator) => addHeadings(generator, root),
  viteFinal: (config) => ({
    ...config,
    // Keeps `light-dark()`, which follows the color scheme of each element, as in the package.
    build: { ...config.build, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
    plugins: [
      ...(config.plugins ?? []),
      {
        name: 'petstore-virtual-modules',
        resolveId: (id) => (id in virtualModules ? `\0${id}` : undefined),
        load: async (id) => {
          const exported = await virtualModules[id.slice(1)]?.()
          return (
            exported &&
            Object.entries(exported)
              .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
              .join('\n')
          )
        },
      },
    ],
  }),
})
