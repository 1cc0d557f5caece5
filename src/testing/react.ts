export {
  createPetstoreWrapper,
  type PetstoreWrapper,
  type PetstoreWrapperOptions,
} from './react/createPetstoreWrapper.tsx'
export { resetPetstore } from './react/resetPetstore.ts'
export {
  renderWithPetstore,
  renderWithPetstoreAsync,
  type RenderWithPetstoreOptions,
  type RenderWithPetstoreResult,
  type UserEventSetup,
} from './react/renderWithPetstore.tsx'
