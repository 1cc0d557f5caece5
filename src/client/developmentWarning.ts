const given = new Set<string>()

/** Tells developers, once for each subject; silent in production. Guard its calls, so that bundles drop the text too. */
export function developmentWarning(message: string, subject: string = message): void {
  if (process.env.NODE_ENV !== 'production' && !given.has(subject)) {
    given.add(subject)
    console.warn(`petstore-react: ${message}`)
  }
}
