export { type ListeningService, type ListenOptions, listen } from './listen.ts'
export type { ServiceAddresses } from './router.ts'
