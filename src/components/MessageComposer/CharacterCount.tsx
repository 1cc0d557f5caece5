import { type ReactElement, useEffect, useState } from 'react'
import { classNames } from '../classNames.ts'
import type { ComposerView } from './ComposerView.ts'

/** How long typing has to pause before the count is spoken, in ms. */
const typingPause = 1_000

interface CharacterCountProps extends ComposerView {
  /** Id of the text that describes the field. */
  readonly id: string
  readonly length: number
  readonly maxLength: number
  /** Whether the person has typed since the last message. Otherwise nothing is spoken. */
  readonly isTyped: boolean
}

/** Three texts: a fixed one that describes the field, the visible count, and a spoken count that waits for a pause. */
export function CharacterCount(props: CharacterCountProps): ReactElement {
  const { id, length, maxLength, isTyped, labels, format, slots } = props
  const [spoken, setSpoken] = useState('')
  const left = maxLength - length
  const shown = left < 0 ? labels.charactersOver(-left, format) : labels.charactersLeft(left, format)

  useEffect(() => {
    const timer = setTimeout(() => setSpoken(isTyped ? shown : ''), typingPause)
    return () => clearTimeout(timer)
  }, [isTyped, shown])

  return (
    <>
      <span id={id} className="petstore-visually-hidden">
        {labels.limit(maxLength, format)}
      </span>
      <span
        aria-hidden="true"
        className={classNames(
          'petstore-message-composer-count',
          left < 0 ? 'petstore-field-error' : undefined,
          slots.count,
        )}
      >
        {shown}
      </span>
      <output className="petstore-visually-hidden">{spoken}</output>
    </>
  )
}
