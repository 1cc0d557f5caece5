import { developmentWarning } from '../base/development.ts'

/** Styles may arrive after the first render, in ms. */
const loadTime = 1_000

/** Tells developers, once, that the page has no styles of this package. Call it in development alone. */
export function warnOfMissingStyles(element: Element): void {
  setTimeout(() => {
    // Where nothing has a place, as in jsdom, there is nothing to look at.
    if (element.getClientRects().length === 0) return
    const styles = element.ownerDocument.defaultView?.getComputedStyle(element)
    if (styles?.getPropertyValue('--petstore-text') !== '') return
    developmentWarning(
      'The page has no styles for its components. Import "petstore-react/styles.css" once, beside your app.',
    )
  }, loadTime)
}
