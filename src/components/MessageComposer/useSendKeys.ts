import { type KeyboardEvent, useRef } from 'react'

interface SendKeys {
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  readonly onBlur: () => void
}

/** Enter starts a new line; Ctrl+Enter and Cmd+Enter submit the form. */
export function useSendKeys(): SendKeys {
  /** False while an Enter is held down that pressed a button, which then moved the focus to the field. */
  const isEnterOurs = useRef(false)
  return {
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, repeat, nativeEvent, currentTarget } = event
      // An input method is still composing the text.
      if (key !== 'Enter' || nativeEvent.isComposing) return
      isEnterOurs.current ||= !repeat
      const sends = ctrlKey || metaKey
      if (sends || !isEnterOurs.current) event.preventDefault()
      if (sends && !repeat) currentTarget.form?.requestSubmit()
    },
    onBlur: () => {
      isEnterOurs.current = false
    },
  }
}
