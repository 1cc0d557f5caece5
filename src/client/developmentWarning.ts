const given = new Set<string>()

/** Tells developers, once for each message; silent in production. */
export function developmentWarning(message: string): void {
  if (process.env.NODE_ENV === 'production' || given.has(message)) return
  given.add(message)
  console.warn(`petstore-react: ${message}`)
}
