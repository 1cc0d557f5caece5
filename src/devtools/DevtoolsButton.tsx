'use client'

import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { DevtoolsView } from './DevtoolsView.tsx'
import type { PetstoreDevtoolsProps } from './PetstoreDevtoolsProps.ts'
import { useRecording } from './useRecording.ts'
import { useShownClient } from './useShownClient.ts'

/** The button that opens the panel. */
export function DevtoolsButton({ client }: PetstoreDevtoolsProps): ReactElement {
  const shown = useShownClient(client)
  const [isOpen, setOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLElement>(null)
  const panelId = useId()

  useRecording(shown)
  useEffect(() => {
    if (isOpen) panelRef.current?.focus()
  }, [isOpen])

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen || event.defaultPrevented) return
    event.preventDefault()
    setOpen(false)
    buttonRef.current?.focus()
  }

  return (
    // Escape closes the panel, whichever control inside has the focus. This element itself takes none.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="petstore-devtools" onKeyDown={closeOnEscape}>
      {isOpen && <DevtoolsView client={shown} id={panelId} rootRef={panelRef} />}
      <button
        ref={buttonRef}
        type="button"
        lang="en"
        className="petstore-devtools-toggle"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Petstore tools
      </button>
    </div>
  )
}
