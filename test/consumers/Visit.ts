import type { Page } from 'playwright'
import type { PetstoreService } from '../../src/testing.ts'

/** The API key of servers, which must not reach a page. Pages with an API key of their own use `demo`. */
export const serverKey = 'key-of-the-server'

export interface Visit {
  readonly page: Page
  /** The address of the first server. */
  readonly url: string
  /** The addresses of all servers of the app. */
  readonly urls: readonly string[]
  /** Starts with the categories Dog and Cat. */
  readonly service: PetstoreService
  readonly baseUrl: string
}
