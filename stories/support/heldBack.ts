import type { ServiceParameters } from '../../.storybook/StoryService.tsx'

/**
 * `parameters.petstore` of stories in which the request limit holds a request back: the service refuses the first one,
 * and the client waits. The clients of other stories give up at once, so that those stories stay in their state.
 *
 * @param retryAfter - the `Retry-After` of the first response, in seconds
 */
export const heldBack = (retryAfter: number): ServiceParameters => ({
  prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': String(retryAfter) } }),
  retry: { maxWait: Infinity },
})
