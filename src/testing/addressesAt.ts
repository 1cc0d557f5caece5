import { basePaths } from './router.ts'

/** The base addresses under which a service is reached. */
export interface ServiceAddresses {
  /** Ends with `/v1`. */
  readonly baseUrl: string
  /** The separate address of the quickstart request; not under `/v1`. */
  readonly quickstartBaseUrl: string
}

/**
 * @param origin such as `https://petstore.test`
 * @throws TypeError when it is no address
 */
export function addressesAt(origin: string): ServiceAddresses {
  return {
    baseUrl: new URL(basePaths.service, origin).href,
    quickstartBaseUrl: new URL(basePaths.quickstart, origin).href,
  }
}
