import { type ComponentType, useEffect, useState } from 'react'
import type { WindowedRowsProps } from './WindowedRows.tsx'

/**
 * Loads the component that windows the rows, on demand: never on a server nor in the first render, whose HTML must match
 * the server's. `undefined` until it is loaded; `null` if loading fails or if there is no layout, as in jsdom.
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
