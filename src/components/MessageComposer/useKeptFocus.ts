import { type RefObject, useEffect, useRef } from 'react'
import { focusedElement } from '../focusedElement.ts'

interface FocusListeners {
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/** Keeps the focus in an element whose buttons come and go: where the one that had it is gone, the element takes it. */
export function useKeptFocus(elementRef: RefObject<HTMLElement | null>): FocusListeners {
  const isInside = useRef(false)
  useEffect(() => {
    const element = elementRef.current
    if (element && isInside.current && !element.contains(focusedElement(element))) element.focus()
  })

  return {
    onFocus: () => {
      isInside.current = true
    },
    onBlur: () => {
      // Still inside when it is the whole window that has lost the focus.
      const element = elementRef.current
      isInside.current = element !== null && element.contains(focusedElement(element))
    },
  }
}
