import { type FormEvent, type RefObject, type SubmitEvent, useRef, useState } from 'react'
import type { Category, NewCategory } from '../../contract/category.ts'
import {
  useCreateCategory,
  type UseCreateCategoryOptions,
  type UseCreateCategoryResult,
} from '../../hooks/useCreateCategory.ts'
import { useIsSlow } from '../useIsSlow.ts'
import type { FieldName } from './problems.ts'

/** A category that is being created, or was. */
export type Creation = UseCreateCategoryResult<Category | undefined>

/** The inputs of the form. */
export type FieldRefs = Readonly<Record<FieldName, RefObject<HTMLInputElement | null>>>

/** The app's own event handlers. */
interface FormHandlers {
  readonly onSubmit?: ((event: SubmitEvent<HTMLFormElement>) => void) | undefined
  readonly onReset?: ((event: FormEvent<HTMLFormElement>) => void) | undefined
}

export interface CategorySubmission {
  readonly creation: Creation
  /** Whether the latest submission had no name. */
  readonly isNameMissing: boolean
  /** Whether a submission has been under way for so long that a person should see it. */
  readonly isSlow: boolean
  /** Whether the submit button creates, or is about to create, what the service may have created already. */
  readonly isAgain: boolean
  /** Whether the service may have created what the fields hold. */
  readonly mayBeCreated: boolean
  /** What the service has created, if its response could not be read. */
  readonly createdUnread: NewCategory | undefined
  /** A new value for each event that is announced or moves the focus, and the same value between two events. */
  readonly announcementKey: unknown
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly reset: (event: FormEvent<HTMLFormElement>) => void
  /** Call it when the text in a field has changed. */
  readonly edit: () => void
}

/** Submits and resets the form: one call at a time, and fields that only a success clears. */
export function useCategorySubmission(
  fields: FieldRefs,
  options: UseCreateCategoryOptions,
  { onSubmit, onReset }: FormHandlers,
): CategorySubmission {
  const creation = useCreateCategory({ ...options, throwOnError: false })
  const { trigger, status, waitReason, error, variables, isMutating } = creation
  const isSlow = useIsSlow(isMutating)
  /** Set if the latest submission had no name: a new object for each such submission. */
  const [missingName, setMissingName] = useState<object>()
  /** Whether the text differs from that of the latest submission, which may have been applied. */
  const [isEdited, setIsEdited] = useState(false)
  const mayBeCreated = error?.outcome === 'unknown' && !isEdited
  const [wasUncertain, setWasUncertain] = useState(false)

  /** The `trigger` of the call under way. A client with another address or key has another one and need not wait. */
  const activeTrigger = useRef<typeof trigger>(undefined)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // React also delivers the events of forms in portals.
    const isFromThisForm = event.target === event.currentTarget
    if (isFromThisForm && activeTrigger.current === trigger) return event.preventDefault()
    onSubmit?.(event)
    if (!isFromThisForm || event.defaultPrevented) return
    event.preventDefault()
    const category = readCategory(fields)
    if (category.name.trim() === '') {
      creation.reset()
      return setMissingName({})
    }
    setMissingName(undefined)
    setIsEdited(false)
    setWasUncertain(mayBeCreated)
    activeTrigger.current = trigger
    void trigger(category).finally(() => {
      if (activeTrigger.current === trigger) activeTrigger.current = undefined
    })
  }

  function reset(event: FormEvent<HTMLFormElement>): void {
    onReset?.(event)
    if (event.target !== event.currentTarget) return
    // The call under way may fail, and then its text would be lost.
    if (creation.isMutating) return event.preventDefault()
    setMissingName(undefined)
    if (error && error.outcome !== 'applied') creation.reset()
  }

  function edit(): void {
    if (error?.outcome !== 'unknown') return
    const { name, description } = readCategory(fields)
    setIsEdited(name !== variables?.name || description !== variables.description)
  }

  return {
    creation,
    isNameMissing: missingName !== undefined,
    isSlow,
    isAgain: isMutating ? wasUncertain : mayBeCreated,
    mayBeCreated,
    createdUnread: error?.outcome === 'applied' ? variables : undefined,
    announcementKey: missingName ?? (isMutating ? isSlow && (waitReason ?? status) : (variables ?? status)),
    submit,
    reset,
    edit,
  }
}

function readCategory({ name, description }: FieldRefs): NewCategory {
  const text = description.current?.value
  return { name: name.current?.value ?? '', ...(text && { description: text }) }
}
