export interface PageLifecycleCallbacks {
  /** Called when the page is back from sleep, from the background, from offline or from the back-forward cache. */
  readonly onWake: () => void
  /** Called when the page may be about to be unloaded. */
  readonly onHide: () => void
}

/** Listens to the lifecycle events of a page, until the returned function is called. Does nothing outside of pages. */
export function watchPageLifecycle({ onWake, onHide }: PageLifecycleCallbacks): () => void {
  if (typeof document === 'undefined') return () => {}
  const events: readonly (readonly [EventTarget, type: string, listener: () => void])[] = [
    [document, 'visibilitychange', onWake],
    [window, 'online', onWake],
    [window, 'pageshow', onWake],
    [window, 'pagehide', onHide],
  ]
  for (const [target, type, listener] of events) target.addEventListener(type, listener)
  return () => {
    for (const [target, type, listener] of events) target.removeEventListener(type, listener)
  }
}
