import type { PetstoreLabels } from './PetstoreLabels.ts'

/** English, the default. */
export const en: PetstoreLabels = {
  categoryList: {
    name: 'Categories',
    loading: 'Loading categories…',
    empty: 'No categories yet',
  },
  retry: 'Try again',
  errors: {
    'bad-request': { title: 'That did not work', advice: 'The service refused the request as invalid.' },
    authentication: {
      title: 'Not signed in',
      advice: 'The API key is missing or not valid. Check it, then try again.',
    },
    'rate-limit': { title: 'Too many requests', advice: 'The rate limit is used up. Wait a little, then try again.' },
    server: { title: 'The service has a problem', advice: 'It is not your fault. Try again in a moment.' },
    'unexpected-status': { title: 'Unexpected answer', advice: 'The service answered in a way we do not know.' },
    'response-validation': { title: 'Unreadable answer', advice: 'The service sent data that we cannot read.' },
    'input-validation': { title: 'Please check your input', advice: 'Something is missing or not valid.' },
    network: {
      title: 'No connection',
      advice: 'The service cannot be reached. Check your connection, then try again.',
    },
    timeout: { title: 'That took too long', advice: 'The service did not answer in time. Try again.' },
  },
  otherError: { title: 'Something went wrong', advice: 'The request did not come to an end. Try again.' },
}
