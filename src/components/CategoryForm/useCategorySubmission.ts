import type { ComponentPropsWithoutRef, FormEvent, RefObject, SubmitEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { NewCategory } from '../../contract/category.ts'
import { useCreateCategory, type UseCreateCategoryOptions } from '../../hooks/useCreateCategory.ts'
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
  readonly serviceMessage?: string | undefined
}

export type FieldRefs = Readonly<Record<FieldName, RefObject<HTMLInputElement | null>>>

export type CategorySubmission = ReturnType<typeof useCategorySubmission>

/** Submits and resets the form: one call at a time, and the text stays through every failure. */
export function useCategorySubmission(
  fields: FieldRefs,
  options: UseCreateCategoryOptions,
  { onSubmit, onReset }: Pick<ComponentPropsWithoutRef<'form'>, 'onSubmit' | 'onReset'>,
) {
  const creation = useCreateCategory(options)
  const { trigger, status, wait, error, variables, isMutating } = creation
  /** Whether a submission has been under way for so long that a person should see it. */
  const isSlow = useIsSlow(isMutating)
  /** An object if the latest submission had no name; a new one each time, so that the error is announced each time. */
  const [missingName, setMissingName] = useState<object>()
  /** Whether the text differs from what was sent last. Updated only while it is unknown whether that was created. */
  const [isEdited, setIsEdited] = useState(false)
  /** Whether the service may have created what the fields hold. */
  const maybeCreated = error?.outcome === 'unknown' && !isEdited
  /** `maybeCreated` when the submission in progress started. */
  const [isRepetition, setIsRepetition] = useState(false)
  const [submittedAt, setSubmittedAt] = useState(0)

  /** The `trigger` of the call in progress. A client with another address or key has its own, which need not wait. */
  const activeTrigger = useRef<typeof trigger>(undefined)

  /** Submits the fields. Before `heldUntil`, the time that the error names (epoch ms), it calls `onHeld` instead. */
  function submit(event: SubmitEvent<HTMLFormElement>, heldUntil: number | undefined, onHeld: () => void): void {
    // React also delivers the events of forms in portals.
    if (event.target !== event.currentTarget) return onSubmit?.(event)
    // If this form is in a portal inside a form of the app, that one must not get the event.
    event.stopPropagation()
    const isHeld = heldUntil !== undefined && Date.now() < heldUntil
    const isIgnored = isHeld || activeTrigger.current === trigger
    if (isHeld) onHeld()
    if (!isIgnored) onSubmit?.(event)
    const isPrevented = isIgnored || event.defaultPrevented
    event.preventDefault()
    if (isPrevented) return
    const category = readCategory(fields)
    if (category.name.trim() === '') {
      // An unknown outcome is kept: the person may type the same text once more.
      if (error?.outcome !== 'unknown') creation.reset()
      return setMissingName({})
    }
    setMissingName(undefined)
    setIsEdited(false)
    setIsRepetition(maybeCreated)
    setSubmittedAt(Date.now())
    activeTrigger.current = trigger
    void trigger(category).finally(() => {
      if (activeTrigger.current === trigger) activeTrigger.current = undefined
    })
  }

  function reset(event: FormEvent<HTMLFormElement>): void {
    if (event.target !== event.currentTarget) return onReset?.(event)
    // If the call in progress fails, the person needs the text.
    if (isMutating) event.preventDefault()
    event.stopPropagation()
    onReset?.(event)
    if (event.defaultPrevented) return
    setMissingName(undefined)
    // The line about a created category stays: the form also resets itself after a creation.
    if (error && error.outcome !== 'applied') creation.reset()
  }

  function onInput(): void {
    if (error?.outcome !== 'unknown') return
    const { name, description } = readCategory(fields)
    setIsEdited(name !== variables?.name || description !== variables.description)
  }

  /** How a slow submission is doing; `false` while a submission is not slow yet. */
  const slowStep = isSlow && (wait?.reason ?? status)
  return {
    creation,
    isNameMissing: missingName !== undefined,
    isSlow,
    /** Whether submitting creates, or is creating, a category that may exist already. */
    mayDuplicate: isMutating ? isRepetition : maybeCreated,
    maybeCreated,
    submittedAt,
    /** The category that the service has created, if its response could not be read. */
    createdUnread: error?.outcome === 'applied' ? variables : undefined,
    /** A new value for each event that is announced or moves the focus, and the same value between two events. */
    announcementKey: missingName ?? (isMutating ? slowStep : (variables ?? status)),
    submit,
    reset,
    onInput,
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

  // After each render: a dialog around the form may have opened since.
  useEffect(() => void prepareRegion(fields.name.current))

  useChangeEffect(announcementKey, () => {
    const form = fields.name.current?.form
    if (!form) return
    const [problem] = problems
    const created = creation.data ?? createdUnread
    if (created) {
      // `reset()` would do, but user-event, in tests of apps, appends typed text to the value that code has set last.
      for (const { current: input } of Object.values(fields)) if (input) input.value = input.defaultValue
      form.reset()
    }
    if (creation.data) store.add(creation.data.id)
    announce(announcementText(submission, labels, format), form, creation.isMutating)
    const input = (created ?? problem) && fields[problem?.field ?? 'name'].current
    // The person may have moved on to another part of the page.
    const canFocus = isFocusAround(form)
    // A screen reader reads the description of a field that gets the focus, and stays silent if the field has it already.
    if (problem && (!canFocus || input === focusedElement(form))) announce(problem.text, form)
    if (canFocus) input?.focus()
  })
}

/** The announcement of a step; empty for a failure, which the notice or the focused field announces. */
function announcementText(submission: CategorySubmission, labels: CategoryFormLabels, format: Formats): string {
  const { creation, createdUnread, isSlow } = submission
  if (creation.isMutating && !isSlow) return ''
  if (creation.status === 'sending') return labels.submitting
  if (creation.status === 'waiting') {
    const savingIn = waitText(labelOfWait(labels.savingIn, creation.wait), creation.wait.until, format)
    return `${labels.waitReasons[creation.wait.reason]} ${savingIn}`
  }
  if (createdUnread) return labels.createdUnread(createdUnread.name)
  return creation.data ? labels.created(creation.data.name) : ''
}
