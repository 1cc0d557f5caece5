import { type FormEvent, type RefObject, type SubmitEvent, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import { useCreateCategory, type UseCreateCategoryResult } from '../../hooks/useCreateCategory.ts'
import { useChangeEffect } from '../useChangeEffect.ts'

/** A category that is being created, or was. */
export type Creation = UseCreateCategoryResult<Category | undefined>

interface SubmissionOptions {
  readonly nameRef: RefObject<HTMLInputElement | null>
  readonly descriptionRef: RefObject<HTMLInputElement | null>
  readonly onSubmit: ((event: SubmitEvent<HTMLFormElement>) => void) | undefined
  readonly onReset: ((event: FormEvent<HTMLFormElement>) => void) | undefined
  readonly onCreated: ((category: Category) => void) | undefined
  readonly optimistic: boolean | undefined
}

interface CategorySubmission {
  readonly creation: Creation
  /** Whether the latest submission had no name. */
  readonly isNameMissing: boolean
  /** A new value for each event that is announced or moves the focus, and the same value between two events. */
  readonly announcementKey: unknown
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly reset: (event: FormEvent<HTMLFormElement>) => void
}

/** Submits and resets the form: one call at a time, and fields that only a success clears. */
export function useCategorySubmission(options: SubmissionOptions): CategorySubmission {
  const { nameRef, descriptionRef, onSubmit, onReset, onCreated, optimistic } = options
  const creation = useCreateCategory({ optimistic, onSuccess: onCreated, throwOnError: false })
  const { trigger, status, isMutating, error } = creation
  /** Set if the latest submission had no name: a new object for each such submission. */
  const [missingName, setMissingName] = useState<object>()
  const announcementKey = missingName ?? (status === 'success' || status === 'error' ? creation.variables : status)

  /** The `trigger` of the call under way. A client with another address or key has another one and need not wait. */
  const activeTrigger = useRef<typeof trigger>(undefined)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // React also delivers the events of forms in portals.
    const isFromThisForm = event.target === event.currentTarget
    if (isFromThisForm && activeTrigger.current === trigger) return event.preventDefault()
    onSubmit?.(event)
    if (!isFromThisForm || event.defaultPrevented) return
    event.preventDefault()
    const name = nameRef.current?.value ?? ''
    const description = descriptionRef.current?.value
    if (name.trim() === '') {
      creation.reset()
      return setMissingName({})
    }
    setMissingName(undefined)
    activeTrigger.current = trigger
    void trigger({ name, ...(description && { description }) }).finally(() => {
      if (activeTrigger.current === trigger) activeTrigger.current = undefined
    })
  }

  function reset(event: FormEvent<HTMLFormElement>): void {
    onReset?.(event)
    if (event.target !== event.currentTarget) return
    // The call under way may fail, and then its text would be lost.
    if (isMutating) return event.preventDefault()
    setMissingName(undefined)
    if (error) creation.reset()
  }

  useChangeEffect(announcementKey, () => {
    if (status !== 'success') return
    // Testing libraries that simulate typing continue from the value set last, which a reset does not change for them.
    for (const { current: input } of [nameRef, descriptionRef]) if (input) input.value = input.defaultValue
    nameRef.current?.form?.reset()
  })

  return { creation, isNameMissing: missingName !== undefined, announcementKey, submit, reset }
}
