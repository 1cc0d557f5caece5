/** Listens to the live regions of the page from now on. The returned function tells what was spoken since it was last asked. */
export function listen(): () => readonly string[] {
  const observer = new MutationObserver(() => {})
  observer.observe(document.body, { childList: true, subtree: true })
  return () =>
    observer
      .takeRecords()
      .filter(({ target }) => target instanceof Element && target.getAttribute('role') === 'status')
      .flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => (textContent ?? '').trim()))
}
