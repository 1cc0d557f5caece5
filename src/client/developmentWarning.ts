const given = new Set<string>()

/** Tells developers, once for each subject. Called in development only, so that bundles for production drop the text. */
export function developmentWarning(message: string, subject: string = message): void {
  if (given.has(subject)) return
  given.add(subject)
  console.warn(`petstore-react: ${message}`)
}
