import { type ReactElement, type ReactNode, useState } from 'react'
import './CopyButton.css'

interface CopyButtonProps {
  /** Rejects where the browser refuses. */
  readonly onCopy: () => Promise<void>
  readonly isPrimary?: boolean
  readonly children: ReactNode
}

/** Copies something, and says on itself for two seconds whether that worked. */
export function CopyButton({ onCopy, isPrimary = false, children }: CopyButtonProps): ReactElement {
  const [result, setResult] = useState<'Copied' | 'Not copied'>()

  async function copy(): Promise<void> {
    await onCopy().then(
      () => setResult('Copied'),
      () => setResult('Not copied'),
    )
    setTimeout(() => setResult(undefined), 2_000)
  }

  return (
    <button
      type="button"
      className={`petstore-button copy-button${isPrimary ? ' petstore-button-primary' : ''}`}
      onClick={() => void copy()}
    >
      <span data-hidden={result !== undefined}>{children}</span>
      <output>{result}</output>
    </button>
  )
}
