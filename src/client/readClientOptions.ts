import { checkOption, isDevelopment } from '../base/development.ts'
import { type CustomRate, paceOf } from '../rate-limit/plan.ts'
import { type Addresses, checkBaseUrl } from './baseUrl.ts'
import type { PetstoreClientOptions } from './PetstoreClientOptions.ts'
import { type Retry, readRetryOptions } from './retryOptions.ts'

/** The plain options of a client, checked, with defaults filled in. */
export interface ClientSettings {
  readonly addresses: Addresses
  readonly retry: Retry
  /** ms for one request. */
  readonly timeout: number
  /** Bytes of one response. */
  readonly maxResponseSize: number
  /** Bytes of all kept responses. */
  readonly responseCacheSize: number
  readonly pace: CustomRate
  readonly fetch: (request: Request) => Promise<Response>
}

/** How long one request may take, in ms. */
export const defaultTimeout = 30_000

/** @throws TypeError when an address or option cannot be used, saying what to write instead */
export function readClientOptions({
  baseUrl,
  quickstartBaseUrl,
  timeout = defaultTimeout,
  maxResponseSize = 100_000_000,
  responseCacheSize = 5_000_000,
  retry,
  plan,
  fetch = (request) => globalThis.fetch(request),
}: PetstoreClientOptions): ClientSettings {
  checkOption(timeout > 0, 'timeout', isDevelopment && 'is a number of milliseconds above 0, or Infinity.')
  checkOption(maxResponseSize > 0, 'maxResponseSize', isDevelopment && 'is a number of bytes above 0, or Infinity.')
  checkOption(
    responseCacheSize >= 0,
    'responseCacheSize',
    isDevelopment && 'is a number of bytes, 0 or more, or Infinity.',
  )
  return {
    addresses: {
      service: checkBaseUrl(baseUrl, 'baseUrl', '/v1'),
      quickstart:
        quickstartBaseUrl === undefined ? undefined : checkBaseUrl(quickstartBaseUrl, 'quickstartBaseUrl', ''),
    },
    retry: readRetryOptions(retry),
    timeout,
    maxResponseSize,
    responseCacheSize,
    pace: paceOf(plan),
    fetch,
  }
}
