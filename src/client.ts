export { createPetstoreClient } from './client/createPetstoreClient.ts'
export type { CallOptions, PetstoreClient } from './client/PetstoreClient.ts'
export type { PetstoreClientOptions } from './client/PetstoreClientOptions.ts'
export type { PetstoreEvent } from './client/PetstoreEvent.ts'
export { prefetchQuery } from './client/prefetchQuery.ts'
export type { PrefetchedQueries } from './client/prefetchQuery.ts'
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
export type { CallOutcome, PetstoreError } from './client/errors.ts'
export { int64 } from './contract/category.ts'
export type { Category, NewCategory } from './contract/category.ts'
export type { CategoryId } from './contract/fields.ts'
export { defineOperation } from './contract/defineOperation.ts'
export type { Operation } from './contract/defineOperation.ts'
export type { ErrorBody } from './contract/ErrorBody.ts'
export type { Message, NewMessage } from './contract/message.ts'
export { operations } from './contract/operations.ts'
export type { RateLimitState } from './rate-limit/rateLimitState.ts'
export type { RateLimitStore } from './rate-limit/RateLimitStore.ts'
export type { CallWait, WaitReason } from './rate-limit/pendingRequest.ts'
