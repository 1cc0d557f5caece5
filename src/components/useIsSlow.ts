import { useEffect, useState } from 'react'

/** In ms. A state that is over sooner would only flicker. */
export const slowAfter = 300

/** Whether something has been under way for so long that a person should see it. */
export function useIsSlow(isActive: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isActive) return undefined
    const timer = setTimeout(() => setIsSlow(true), slowAfter)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isActive])
  return isActive && isSlow
}
