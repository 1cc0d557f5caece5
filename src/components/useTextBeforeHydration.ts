import { type RefObject, useEffect, useRef } from 'react'

/** Reports the text that was typed into the server's HTML before hydration. `rendered` is the text of the first render. */
export function useTextBeforeHydration(
  fieldRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  rendered: string,
  onTyped: (text: string) => void,
): void {
  const isDone = useRef(false)
  useEffect(() => {
    const typed = fieldRef.current?.value ?? ''
    if (!isDone.current && typed !== rendered) onTyped(typed)
    isDone.current = true
  })
}
