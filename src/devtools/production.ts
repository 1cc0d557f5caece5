export {
  DevtoolsButton as PetstoreDevtools,
  DevtoolsPanel as PetstoreDevtoolsPanel,
  devtoolsPlugin as petstoreDevtoolsPlugin,
  type PetstoreDevtoolsProps,
} from './DevtoolsPanel.tsx'
