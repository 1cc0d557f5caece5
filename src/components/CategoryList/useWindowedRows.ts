import { type ComponentType, useEffect, useState } from 'react'
import type { WindowedRowsProps } from './WindowedRows.tsx'

/**
 * Loads what shows rows in a window, once they are wanted: never on a server nor in the first render, which are to be
 * equal. `null`: it cannot be had here, by a failure or a browser of tests without layout.
 */
export function useWindowedRows(isWanted: boolean): ComponentType<WindowedRowsProps> | null | undefined {
  const [component, setComponent] = useState<ComponentType<WindowedRowsProps> | null>()

  useEffect(() => {
    if (!isWanted) return
    const loading = typeof ResizeObserver === 'undefined' ? Promise.reject() : import('./WindowedRows.tsx')
    loading.then(
      ({ WindowedRows }) => setComponent(() => WindowedRows),
      () => setComponent(null),
    )
  }, [isWanted])

  return component
}
