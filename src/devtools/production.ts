export {
  DevtoolsButton as PetstoreDevtools,
  DevtoolsPanel as PetstoreDevtoolsPanel,
  type PetstoreDevtoolsProps,
} from './DevtoolsPanel.tsx'
