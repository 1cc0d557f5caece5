import { useEffect, useRef } from 'react'

/**
 * Runs `onChange` after the render in which `key` changed. A plain effect with `key` as its dependency also runs on
 * mount, twice in StrictMode, and when React shows a hidden `<Activity>` again.
 */
export function useChangeEffect(key: unknown, onChange: () => void): void {
  const lastKey = useRef(key)
  useEffect(() => {
    if (lastKey.current === key) return
    lastKey.current = key
    onChange()
  })
}
