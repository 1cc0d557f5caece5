export {
  petstoreMutation,
  type PetstoreMutation,
  petstoreQuery,
  type PetstoreQueryContext,
  type PetstoreQuery,
} from './client/petstoreQuery.ts'
