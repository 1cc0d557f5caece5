export {
  mutationOptions,
  type MutationOptions,
  queryOptions,
  type QueryContext,
  type QueryOptions,
} from './client/queryOptions.ts'
