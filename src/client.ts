export { createPetstoreClient } from './client/createPetstoreClient.ts'
export type { CallArguments, CallOptions, OperationMethods, PetstoreClient } from './client/PetstoreClient.ts'
export type { PetstoreClientOptions } from './client/PetstoreClientOptions.ts'
export { prefetchCategories, prefetchQuery, streamQuery } from './client/prefetchQuery.ts'
export type {
  PrefetchArguments,
  PrefetchedCategories,
  PrefetchedQueries,
  PrefetchOptions,
} from './client/prefetchQuery.ts'
export type { ApiKey } from './client/apiKey.ts'
export {
  AuthenticationError,
  BadRequestError,
  InputValidationError,
  isPetstoreError,
  NetworkError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnexpectedStatusError,
} from './client/errors.ts'
export type { ResponseDetails, CallOutcome, ErrorContext, Issue, PetstoreError } from './client/errors.ts'
// Everything that the file of a resource exports is public.
export * from './contract/category.ts'
export type { CategoryId } from './contract/int64.ts'
export { categoryListSchema } from './contract/categoryListSchema.ts'
export { defineOperation } from './contract/defineOperation.ts'
export type { Operation, OperationDefinition } from './contract/defineOperation.ts'
export type { ErrorBody } from './contract/errorBody.ts'
export { errorBodySchema } from './contract/errorBody.ts'
export * from './contract/message.ts'
export { operations } from './contract/operations.ts'
export type { PetInput } from './contract/pet.ts'
export type { ClientRateLimit, GateSettings } from './client/clientRateLimit.ts'
export type { CallResult, PetstoreEvent } from './client/PetstoreEvent.ts'
export type { RetryOptions } from './client/PetstoreClientOptions.ts'
export type { Priority, RefusalReason } from './rate-limit/gate.ts'
export type { Breaker } from './rate-limit/breaker.ts'
export type { ClockSkew, GatePage, GateRecord, GateWindow, UsageSlice } from './rate-limit/GateRecord.ts'
export type { GateInspection, HoldReason, WaitingCall } from './rate-limit/rateLimitState.ts'
export { createMemoryStore } from './rate-limit/stores/memoryStore.ts'
export type { CustomRate, Plan } from './rate-limit/plan.ts'
export type { RateLimitHeaders } from './rate-limit/rateLimitHeaders.ts'
export type { RateLimitState } from './rate-limit/rateLimitState.ts'
export type { RateLimitStore, StoreFailureReason } from './rate-limit/RateLimitStore.ts'
export type { OnWait, WaitReason } from './rate-limit/pendingRequest.ts'
