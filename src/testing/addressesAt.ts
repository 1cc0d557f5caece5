import { basePaths } from './router.ts'

/** The base addresses of a service. */
export interface ServiceAddresses {
  /** Ends with `/v1`. */
  readonly baseUrl: string
  /** The separate base address of the quickstart request. It is not below `/v1`. */
  readonly quickstartBaseUrl: string
}

/**
 * @param origin such as `https://petstore.test`
 * @throws TypeError when the origin is no valid URL
 */
export function addressesAt(origin: string): ServiceAddresses {
  return {
    baseUrl: new URL(basePaths.service, origin).href,
    quickstartBaseUrl: new URL(basePaths.quickstart, origin).href,
  }
}
