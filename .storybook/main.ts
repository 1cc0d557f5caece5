import { join } from 'node:path'
import { defineMain } from '@storybook/react-vite/node'
import { readApi } from './readApi.ts'

/** What the docs pages know of the source; made anew for each start and build. */
const apiModule = 'virtual:petstore-api'

export default defineMain({
  framework: '@storybook/react-vite',
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  core: { disableTelemetry: true, enableCrashReports: false, disableWhatsNewNotifications: true },
  features: { sidebarOnboardingChecklist: false },
  typescript: { reactDocgen: 'react-docgen' },
  viteFinal: (config) => ({
    ...config,
    plugins: [
      ...(config.plugins ?? []),
      {
        name: 'petstore-api',
        resolveId: (id) => (id === apiModule ? `\0${apiModule}` : undefined),
        load: (id) =>
          id === `\0${apiModule}`
            ? `export default ${JSON.stringify(readApi(join(import.meta.dirname, '../src')))}`
            : undefined,
      },
    ],
  }),
})
