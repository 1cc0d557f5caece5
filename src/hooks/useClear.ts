'use client'

import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns a function that forgets a person who signs out: cancels all calls, and removes the loaded data, the drafts, and what
 * other tabs of the scope keep and show. Nothing is sent: what is still on the screen is empty until something loads it again.
 * The function stays the same as long as the client stays the same.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useClear(): () => void {
  return usePetstoreContext().client.clear
}
