/** What the live regions of the page say at the moment. A docs page has one for each picture, and one for its stories. */
export const announced = (): string =>
  [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join('\n')
