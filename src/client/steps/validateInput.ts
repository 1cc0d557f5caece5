import { configError, isDevelopment } from '../../base/development.ts'
import { absoluteUrl, type Addresses, buildRequest } from '../buildRequest.ts'
import { type Call, errorContext, type Step, type ValidCall } from '../Call.ts'
import { InputValidationError } from '../errors.ts'
import { validate } from '../validate.ts'

/**
 * Checks the input against the operation's schema and builds the request from it, before anything is sent.
 *
 * Rejects with `InputValidationError`, or with a `TypeError` for an invalid `maxWait` or where the operation's address or
 * `Request` is missing.
 */
export function validateInput(addresses: Addresses): Step<Call, ValidCall> {
  return async (call, next) => {
    const { operation } = call
    const base = addresses[operation.base]
    if (base === undefined) {
      throw configError(operation.name, isDevelopment && 'goes to the quickstart address: set quickstartBaseUrl.')
    }
    if (Number.isNaN(call.deadline)) {
      throw configError('maxWait', isDevelopment && 'is a number of milliseconds, 0 or more, or Infinity.')
    }
    // Before the gate, so that a call that fails here uses no quota.
    if (typeof Request === 'undefined') {
      throw configError(
        'Request',
        isDevelopment &&
          'is missing here. Node has it, but Jest with jsdom hides it: use the environment "jest-fixed-jsdom", or "node".',
      )
    }
    const checked = operation.input && (await validate(operation.input, call.input, call.signal))
    if (checked?.issues) throw new InputValidationError(errorContext(call), checked.issues)
    const { target, body } = buildRequest(operation, checked?.value, errorContext(call))
    const request = { url: absoluteUrl(base + target), method: operation.method, body }
    return next(Object.assign(call, { request }))
  }
}
