import { type ReactElement, type ReactNode, useState } from 'react'

interface CopyButtonProps {
  readonly text: () => string
  readonly isPrimary?: boolean
  readonly children: ReactNode
}

/** Copies a text, and says whether that worked, until the text is another one. */
export function CopyButton({ text, isPrimary = false, children }: CopyButtonProps): ReactElement {
  const [copied, setCopied] = useState<{ readonly text: string; readonly isDone: boolean }>()
  const isCurrent = copied?.text === text()

  async function copy(): Promise<void> {
    const copiedText = text()
    try {
      await navigator.clipboard.writeText(copiedText)
      setCopied({ text: copiedText, isDone: true })
    } catch {
      setCopied({ text: copiedText, isDone: false })
    }
  }

  return (
    <p className="theme-copy">
      <button
        type="button"
        className={`petstore-button${isPrimary ? ' petstore-button-primary' : ''}`}
        onClick={() => void copy()}
      >
        {children}
      </button>
      <output>{isCurrent && (copied.isDone ? 'Copied' : 'The browser refused to copy.')}</output>
    </p>
  )
}
