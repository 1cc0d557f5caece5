export {
  DevtoolsButton as PetstoreDevtools,
  DevtoolsPanel as PetstoreDevtoolsPanel,
  devtoolsPlugin as petstoreDevtoolsPlugin,
  type PetstoreDevtoolsProps,
} from './DevtoolsPanel.tsx'
export { createFaultyFetch as createDevtoolsFetch, faultyFetch as devtoolsFetch } from './faultyFetch.ts'
