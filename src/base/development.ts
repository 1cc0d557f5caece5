/**
 * `false` in production bundles: bundlers replace `process.env.NODE_ENV`, so both branches below become `false`, and
 * texts for developers are dropped. Also `false` in a page without a bundler, where reading it throws: the condition
 * only tries that. To drop whole modules, guard their calls also with `process.env.NODE_ENV !== 'production'`.
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

/** An error for an invalid option, `what`. In development it says why, and what to write instead. */
export function configError(what: string, explanation: string | false): TypeError {
  return new TypeError(`${what} ${explanation || 'cannot be used.'}`)
}

/** @throws a `configError` unless the option is valid */
export function checkOption(isValid: boolean, option: string, explanation: string | false): void {
  if (!isValid) throw configError(option, explanation)
}

const warnedSubjects = new Set<string>()

/** Warns developers once per subject. Guard calls with its first two conditions: then production drops the text. */
export function developmentWarning(message: string, subject: string = message): void {
  if (isDevelopment && process.env.NODE_ENV !== 'production' && !warnedSubjects.has(subject)) {
    warnedSubjects.add(subject)
    console.warn(`petstore-react: ${message}`)
  }
}
