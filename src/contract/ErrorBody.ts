import * as z from 'zod/mini'

/** The body of an error response (interface document, "Error"). A 429 promises none. */
export interface ErrorBody {
  /** Machine-readable error code. The document lists no values. */
  readonly code: string
  /** Human-readable description from the service. */
  readonly message: string
  /** The HTTP status code, repeated. */
  readonly status: number
}

/** Checks the body of an error response. */
export const errorBodySchema: z.ZodMiniType<ErrorBody> = z.object({
  code: z.string('expected a string'),
  message: z.string('expected a string'),
  status: z.int('expected an integer'),
})
