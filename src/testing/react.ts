export {
  renderWithPetstore,
  renderWithPetstoreAsync,
  type RenderWithPetstoreOptions,
  type RenderWithPetstoreResult,
  type UserEventSetup,
} from './react/renderWithPetstore.tsx'
