/**
 * `false` in production bundles, so that bundlers drop texts for developers. They replace `process.env.NODE_ENV`. Where
 * nothing does, and there is no `process`, reading it throws: that is no development either. Guard with both this and
 * `process.env.NODE_ENV` where a bundle for production is to drop whole modules.
 */
export const isDevelopment = /* @__PURE__ */ (() => {
  try {
    return process.env.NODE_ENV !== ''
  } catch {
    return false
  }
})()
  ? process.env.NODE_ENV !== 'production'
  : false

/** An error for invalid configuration. In development it says why and what to write instead. */
export function configError(what: string, explanation: string | false): TypeError {
  return new TypeError(`${what} ${explanation || 'cannot be used.'}`)
}

/** @throws the `configError` of an option that is not valid */
export function checkOption(isValid: boolean, option: string, explanation: string | false): void {
  if (!isValid) throw configError(option, explanation)
}

const given = new Set<string>()

/** Warns developers once per subject; silent in production. Guard calls of it, so that production bundles drop the text. */
export function developmentWarning(message: string, subject: string = message): void {
  if (isDevelopment && process.env.NODE_ENV !== 'production' && !given.has(subject)) {
    given.add(subject)
    console.warn(`petstore-react: ${message}`)
  }
}
