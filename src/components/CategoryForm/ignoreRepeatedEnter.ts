import type { KeyboardEvent } from 'react'

/** An Enter that is held down would submit again when the first submission ends. */
export function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}
