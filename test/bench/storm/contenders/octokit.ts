import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import type { Contender } from '../Contender.ts'

const ThrottledOctokit = Octokit.plugin(retry, throttling)
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const octokit: Contender = {
  name: 'octokit throttling + retry',
  settings: '`onRateLimit` and `onSecondaryRateLimit` allow 10 retries; throttling handles 429, retry the rest',
  start:
    () =>
    ({ baseUrl, apiKey, fetch, pageId }) => {
      const client = new ThrottledOctokit({
        baseUrl,
        log: silent,
        request: { fetch },
        // Otherwise both plugins wait for the same 429, one after the other.
        retry: { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
        throttle: {
          // All instances of a process share its queues, and each page is a process.
          id: pageId,
          onRateLimit: (_seconds, _options, _octokit, retryCount) => retryCount < 10,
          onSecondaryRateLimit: (_seconds, _options, _octokit, retryCount) => retryCount < 10,
        },
      })
      // Its `auth` option writes another scheme than Bearer.
      client.hook.before('request', (options) => {
        options.headers.authorization = `Bearer ${apiKey}`
      })
      return {
        get: async (id) => (await client.request('GET /pets/{id}', { id })).data,
        post: async (name) => (await client.request('POST /categories', { name })).data,
      }
    },
}
