import { type ReactElement, useEffect, useState } from 'react'
import { classNames } from '../classNames.ts'
import type { MessageText } from './messageText.ts'

/** How long the typing has to rest before the count is spoken, in ms. */
const idle = 1_000

interface CharacterCountProps {
  /** Of the text that describes the field. */
  readonly id: string
  readonly length: number
  readonly maxLength: number
  /** Whether somebody has typed since the last message: else there is nothing to speak of. */
  readonly isTyped: boolean
  readonly words: MessageText
  readonly className: string | undefined
}

/** Three texts: one that describes the field and stays, one that is seen, and one that is spoken, but not on each key. */
export function CharacterCount(props: CharacterCountProps): ReactElement {
  const { id, length, maxLength, isTyped, words, className } = props
  const { labels, format } = words
  const [spoken, setSpoken] = useState('')
  const left = maxLength - length
  const shown = left < 0 ? labels.charactersOver(-left, format) : labels.charactersLeft(left, format)

  useEffect(() => {
    const timer = setTimeout(() => setSpoken(isTyped ? shown : ''), idle)
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
          className,
        )}
      >
        {shown}
      </span>
      <output className="petstore-visually-hidden">{spoken}</output>
    </>
  )
}
