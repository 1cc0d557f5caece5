export type { CategoryRecord, CategorySeed, Int64 } from './testing/categoryResource.ts'
export {
  createPetstoreService,
  type PetstoreService,
  type ServiceProviderProps,
} from './testing/createPetstoreService.ts'
export type { Fault } from './testing/faults.ts'
export type { RecordedRequest } from './testing/RecordedRequest.ts'
export type { PetstoreServiceOptions } from './testing/readOptions.ts'
export type { PlanName, QuotaWindow } from './testing/quota.ts'
export type { BanOptions } from './testing/admission.ts'
export type { JsonValue, ServiceOperation, ServiceRequest, ServiceResponse } from './testing/handlers.ts'
export type { ServiceAddresses } from './testing/router.ts'
