/** `false` in production bundles, so that bundlers drop texts for developers. */
export const isDevelopment = process.env.NODE_ENV !== 'production'

/** An error for invalid configuration. In development it says why and what to write instead. */
export function configError(what: string, explanation: string | false): TypeError {
  return new TypeError(`${what} ${explanation || 'cannot be used.'}`)
}

/** @throws the `configError` of an option that is not valid */
export function checkOption(isValid: boolean, option: string, explanation: string | false): void {
  if (!isValid) throw configError(option, explanation)
}
