/** Bundlers for production know that it is `false`, and drop whatever is only for developers. */
export const isDevelopment: boolean = process.env.NODE_ENV !== 'production'

/** An error of the app's code: what cannot be used and, in development, why and what to write instead. */
export function configError(what: string, explanation: string | false): TypeError {
  return new TypeError(`${what} ${explanation || 'cannot be used.'}`)
}
