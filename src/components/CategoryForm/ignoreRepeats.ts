import type { KeyboardEvent, MouseEvent } from 'react'

/** An Enter that is held down would submit again when the first submission ends. */
export function ignoreRepeatedEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/** So would the second click of a double click, when the first submission ends in between. */
export function ignoreRepeatedClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault()
}
