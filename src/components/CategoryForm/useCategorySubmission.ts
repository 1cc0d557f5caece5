import { type FormEvent, type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { NewCategory } from '../../contract/category.ts'
import {
  useCreateCategory,
  type UseCreateCategoryOptions,
  type UseCreateCategoryResult,
} from '../../hooks/useCreateCategory.ts'
import type { CategoryFormLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import { announce, prepareRegion } from '../announce.ts'
import { useCreatedCategory } from '../createdCategory.ts'
import { focusedElement, isFocusAround } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useIsSlow } from '../useIsSlow.ts'

export type FieldName = keyof NewCategory

export const fieldNames: readonly FieldName[] = ['name', 'description']

/** A reason why the input was not accepted. */
export interface Problem {
  readonly field: FieldName
  readonly text: string
  /** The message of the service. */
  readonly said?: string | undefined
}

/** The inputs of the form. */
export type FieldRefs = Readonly<Record<FieldName, RefObject<HTMLInputElement | null>>>

/** The app's own event handlers. */
interface FormHandlers {
  readonly onSubmit?: ((event: SubmitEvent<HTMLFormElement>) => void) | undefined
  readonly onReset?: ((event: FormEvent<HTMLFormElement>) => void) | undefined
}

export interface CategorySubmission {
  readonly creation: UseCreateCategoryResult
  /** Whether the latest submission had no name. */
  readonly isNameMissing: boolean
  /** Whether a submission has been under way for so long that a person should see it. */
  readonly isSlow: boolean
  /** Whether submitting creates, or is creating, a category that may exist already. */
  readonly isAgain: boolean
  /** Whether the service may have created what the fields hold. */
  readonly mayBeCreated: boolean
  /** Nothing is submitted before this time (epoch ms), as the service has asked. */
  readonly heldUntil: number | undefined
  /** When the form was last submitted, in epoch ms; 0 before. */
  readonly submittedAt: number
  /** The category that the service has created, if its response could not be read. */
  readonly createdUnread: NewCategory | undefined
  /** A new value for each event that is announced or moves the focus, and the same value between two events. */
  readonly announcementKey: unknown
  /** Returns whether it did nothing because of `heldUntil`. */
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => boolean | void
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
  const creation = useCreateCategory(options)
  const { trigger, status, wait, error, variables, isMutating } = creation
  const isSlow = useIsSlow(isMutating)
  /** Set if the latest submission had no name: a new object for each such submission. */
  const [missingName, setMissingName] = useState<object>()
  /** Whether the text differs from that of the latest submission; known only while its outcome is unknown. */
  const [isEdited, setIsEdited] = useState(false)
  const mayBeCreated = error?.outcome === 'unknown' && !isEdited
  /** Whether the submission in progress may create what exists already. */
  const [wasUncertain, setWasUncertain] = useState(false)
  const [submittedAt, setSubmittedAt] = useState(0)
  const heldUntil = error && 'retryAt' in error ? error.retryAt : undefined

  /** The `trigger` of the call in progress. A client with another address or key has its own, and does not have to wait. */
  const activeTrigger = useRef<typeof trigger>(undefined)

  function submit(event: SubmitEvent<HTMLFormElement>): boolean | void {
    // React also delivers the events of forms in portals.
    const isFromThisForm = event.target === event.currentTarget
    // If this form is in a portal inside a form of the app, that one must not get the event.
    if (isFromThisForm) event.stopPropagation()
    const isHeld = heldUntil !== undefined && Date.now() < heldUntil
    if (isFromThisForm && (isHeld || activeTrigger.current === trigger)) {
      event.preventDefault()
      return isHeld
    }
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
    setSubmittedAt(Date.now())
    activeTrigger.current = trigger
    void trigger(category).finally(() => {
      if (activeTrigger.current === trigger) activeTrigger.current = undefined
    })
  }

  function reset(event: FormEvent<HTMLFormElement>): void {
    const isFromThisForm = event.target === event.currentTarget
    // If the call in progress fails, the person needs the text.
    if (isFromThisForm && creation.isMutating) event.preventDefault()
    onReset?.(event)
    if (!isFromThisForm) return
    event.stopPropagation()
    if (event.defaultPrevented) return
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
    heldUntil,
    submittedAt,
    createdUnread: error?.outcome === 'applied' ? variables : undefined,
    announcementKey: missingName ?? (isMutating ? isSlow && (wait?.reason ?? status) : (variables ?? status)),
    submit,
    reset,
    edit,
  }
}

function readCategory({ name, description }: FieldRefs): NewCategory {
  const text = description.current?.value
  return { name: name.current?.value ?? '', ...(text && { description: text }) }
}

/** Clears the fields after a success, announces each step of a submission once, and moves the focus to its result. */
export function useSubmissionEffects(
  submission: CategorySubmission,
  fields: FieldRefs,
  problems: readonly Problem[],
  labels: CategoryFormLabels,
  format: Formats,
): void {
  const { creation, createdUnread, announcementKey } = submission
  const { store } = useCreatedCategory()

  useEffect(() => void prepareRegion(fields.name.current))

  const isCreated = creation.status === 'success' || createdUnread !== undefined

  function moveFocus(): void {
    const form = fields.name.current?.form
    // Not if the person has moved on to another part of the page.
    if (!form || !isFocusAround(form)) return
    const [problem] = problems
    const field = isCreated ? 'name' : problem?.field
    const input = field && fields[field].current
    // A screen reader reads the description of a field that gets the focus, and stays silent if the field has it already.
    if (problem && input && input === focusedElement(input)) announce(problem.text, form)
    input?.focus()
  }

  useChangeEffect(announcementKey, () => {
    if (isCreated) {
      // Testing libraries that simulate typing keep the value that was set last, which a reset does not change.
      for (const { current: input } of Object.values(fields)) if (input) input.value = input.defaultValue
      fields.name.current?.form?.reset()
    }
    if (creation.status === 'success') store.add(creation.data.id)
    announce(announcementText(submission, labels, format), fields.name.current, creation.isMutating)
    moveFocus()
  })
}

/** The announcement of a step; empty for a failure, which the notice or the focused field announces. */
function announcementText(
  { creation, createdUnread, isSlow }: CategorySubmission,
  labels: CategoryFormLabels,
  format: Formats,
): string {
  if (creation.isMutating && !isSlow) return ''
  if (creation.status === 'sending') return labels.submitting
  if (creation.status === 'waiting') {
    const savingIn = waitText(labelOfWait(labels.savingIn, creation.wait), creation.wait.until, format)
    return `${labels.waitReasons[creation.wait.reason]} ${savingIn}`
  }
  if (createdUnread) return labels.createdUnread(createdUnread.name)
  return creation.status === 'success' ? labels.created(creation.data.name) : ''
}
