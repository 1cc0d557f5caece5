const given = new Set<string>()

/** Tells developers, once for each subject; silent in production. */
export function developmentWarning(message: string, subject: string = message): void {
  if (process.env.NODE_ENV === 'production' || given.has(subject)) return
  given.add(subject)
  console.warn(`petstore-react: ${message}`)
}
