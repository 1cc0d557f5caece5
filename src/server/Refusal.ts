/** Ends a visitor's request with an Error body. Thrown by whatever finds the reason. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The HTTP status. */
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}
