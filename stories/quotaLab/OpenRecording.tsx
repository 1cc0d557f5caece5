import { type ReactElement, useEffect, useId, useState } from 'react'
import { type OpenedRecording, openRecording, recordingOfAddress } from './openRecording.ts'

/** Opens a recording that is pasted, or that stands in the address of the page. */
export function OpenRecording({ onOpen }: { readonly onOpen: (recording: OpenedRecording) => void }): ReactElement {
  const [problem, setProblem] = useState<string>()
  const fieldId = useId()

  async function open(text: string): Promise<void> {
    try {
      const opened = await openRecording(text)
      setProblem(undefined)
      onOpen(opened)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  useEffect(() => {
    const openAddress = async () => {
      const text = await recordingOfAddress().catch(() => '')
      if (text !== undefined) await open(text)
    }
    void openAddress()
    addEventListener('hashchange', openAddress)
    return () => removeEventListener('hashchange', openAddress)
    // The recording of an address is opened once, whatever `onOpen` is later.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  return (
    <details className="lab-open">
      <summary>Open a recording</summary>
      <label htmlFor={fieldId}>
        Paste what “Copy as JSON” of the developer tools has copied. It is played here, and sent nowhere.
      </label>
      <textarea
        id={fieldId}
        rows={4}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${fieldId}-problem`}
        onChange={(event) => {
          const text = event.target.value.trim()
          if (text === '') setProblem(undefined)
          else void open(text)
        }}
      />
      {problem !== undefined && (
        <p id={`${fieldId}-problem`} role="alert">
          {problem}
        </p>
      )}
    </details>
  )
}
