import { useEffect, useMemo, useState } from 'react'
import { noPendingCategories, type PendingCategory, usePendingCategories } from '../../hooks/usePendingCategories.ts'
import { noticeTime } from '../useIsSlow.ts'

/** The categories that have been under way for so long that a person should see them: others would only flicker. */
export function usePendingRows(): readonly PendingCategory[] {
  const pending = usePendingCategories()
  const [slow, setSlow] = useState(noPendingCategories)
  useEffect(() => {
    if (pending.every((row) => slow.includes(row))) return undefined
    const timer = setTimeout(() => setSlow(pending), noticeTime)
    return () => clearTimeout(timer)
  }, [pending, slow])
  return useMemo(() => pending.filter((row) => slow.includes(row)), [pending, slow])
}
