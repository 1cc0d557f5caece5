import type { KeyboardEvent } from 'react'

/** Held down too long, Enter would submit again as soon as the first submission has ended. */
export function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}
