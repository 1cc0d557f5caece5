import { isDevelopment } from '../contract/configError.ts'
const given = new Set<string>()

/** Warns developers once per subject; silent in production. Guard calls of it, so that production bundles drop the text. */
export function developmentWarning(message: string, subject: string = message): void {
  if (isDevelopment && process.env.NODE_ENV !== 'production' && !given.has(subject)) {
    given.add(subject)
    console.warn(`petstore-react: ${message}`)
  }
}
