'use client'

import { errorNotice } from '../../labels/en/errorNotice.ts'
import { useLabels } from '../useLabels.ts'
import { useDescribeError } from './errorText.ts'

/**
 * Returns a function that gives the words of `ErrorNotice` for an error, in the provider's language: the title, and the advice,
 * which says when to try again where the error has a time. For failures that you show yourself, such as in a toast.
 *
 * @throws Error if used outside `PetstoreProvider`
 * @example
 * ```tsx
 * import { useCreateCategory, useErrorText } from 'petstore-react'
 *
 * function AddRabbit() {
 *   const { trigger, error } = useCreateCategory()
 *   const errorText = useErrorText()
 *   return (
 *     <>
 *       <button onClick={() => trigger({ name: 'Rabbit' })}>Add Rabbit</button>
 *       {error && <p role="alert">{errorText(error).title}</p>}
 *     </>
 *   )
 * }
 * ```
 */
export function useErrorText(): (error: Error) => { readonly title: string; readonly advice: string } {
  const { labels, format } = useLabels('errorNotice', errorNotice)
  const describe = useDescribeError(labels, format)
  return (error) => {
    const { title, advice, wait } = describe(error)
    return { title, advice: wait() ?? advice }
  }
}
