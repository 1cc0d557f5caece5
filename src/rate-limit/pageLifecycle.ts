export interface PageLifecycleCallbacks {
  /** Called when the page is back from sleep, from the background, from offline or from the back-forward cache. */
  readonly onWake: () => void
  /** Called when the page may be about to be unloaded. */
  readonly onHide: () => void
}

/**
 * Listens to the lifecycle events of a page or of a worker, which has only some of them, until the returned function is
 * called. Does nothing elsewhere.
 */
export function watchPageLifecycle({ onWake, onHide }: PageLifecycleCallbacks): () => void {
  // React Native has a `self` without events.
  if (typeof self === 'undefined' || typeof self.addEventListener !== 'function') return () => {}
  const events: (readonly [EventTarget, type: string, listener: () => void])[] = [
    [self, 'online', onWake],
    [self, 'pageshow', onWake],
    [self, 'pagehide', onHide],
  ]
  if (typeof document !== 'undefined') events.push([document, 'visibilitychange', onWake])
  for (const [target, type, listener] of events) target.addEventListener(type, listener)
  return () => {
    for (const [target, type, listener] of events) target.removeEventListener(type, listener)
  }
}
