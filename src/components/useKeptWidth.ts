import { type RefObject, useEffect } from 'react'

/**
 * Keeps a button at least as wide as it was when `isBusy` became true, so that a shorter text moves nothing beside it. The
 * new text has to come in a later render, as `useIsSlow` does: this one is measured with the old text.
 */
export function useKeptWidth(ref: RefObject<HTMLElement | null>, isBusy: boolean): void {
  useEffect(() => {
    const element = ref.current
    if (!isBusy || !element) return undefined
    // Not an attribute in HTML from a server: a strict CSP would refuse it.
    element.style.minInlineSize = `min(100%, ${element.getBoundingClientRect().width}px)`
    return () => {
      element.style.minInlineSize = ''
    }
  }, [ref, isBusy])
}
