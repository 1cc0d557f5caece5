/** The body of an error response (interface document, "Error"). The document promises none for a 429. */
export interface ErrorBody {
  /** Machine-readable error code. The document lists no values. */
  readonly code: string
  /** Human-readable description from the service. */
  readonly message: string
  /** The HTTP status code, repeated. */
  readonly status: number
}
