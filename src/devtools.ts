export {
  createDevtoolsFetch,
  devtoolsFetch,
  PetstoreDevtools,
  PetstoreDevtoolsPanel,
} from './devtools/PetstoreDevtools.tsx'
export { petstoreDevtoolsPlugin } from './devtools/petstoreDevtoolsPlugin.tsx'
export type { PetstoreDevtoolsProps } from './devtools/DevtoolsPanel.tsx'
