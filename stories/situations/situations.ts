import { alwaysFail, neverRespond } from '../../.storybook/faults.ts'
import type { ServiceParameters } from '../../.storybook/StoryService.tsx'
import {
  alert,
  check,
  checkCircle,
  clock,
  cloudOff,
  gauge,
  key,
  lock,
  pause,
  question,
  server,
  type Tone,
} from '../../src/components/Icon.tsx'
import type { WaitReason } from '../../src/index.ts'
import type { ErrorLabels } from '../../src/labels/en/errorNotice.ts'
import type { PetstoreLabels } from '../../src/labels/en.ts'
import type { Fault } from '../../src/testing.ts'
import { labelPattern, waitPattern } from '../support/labelsOf.ts'
import { waitsFor } from '../support/waitsFor.ts'

export const components = ['CategoryList', 'CategoryForm', 'MessageComposer', 'RateLimitBadge', 'ErrorNotice'] as const

export type ComponentName = (typeof components)[number]

/** The visible name of a button, and whether it is there but has to wait. */
export type Action = readonly [name: string | RegExp, held?: 'held']

/** What one component says in one situation. */
interface Cell {
  /** Texts that it contains. */
  readonly says: readonly (string | RegExp)[]
  /** All its buttons that are about the situation. */
  readonly actions: readonly Action[]
  /** Where it differs from the others. */
  readonly tone?: Tone
  readonly icon?: string
}

export interface Situation {
  /** In English, the playground's language. */
  readonly title: string
  /** `undefined`: a spinner or a placeholder, which has no tone. */
  readonly tone: Tone | undefined
  readonly icon: string | undefined
  /** How the service of each cell behaves. */
  readonly service: () => ServiceParameters
  /** After how many seconds a wait is over, and begins again. */
  readonly seconds?: number
  /** How many requests the badge needs to get there. Default 1. */
  readonly requests?: number
  /** The components in which it can occur. */
  readonly cells: (labels: PetstoreLabels) => Readonly<Partial<Record<ComponentName, Cell>>>
}

/** The name of the category, and the message, that each cell sends. */
export const sample = 'Hamster'

const fails = (fault: Fault) => () => ({ prepare: alwaysFail(fault) })

const refuses = (status: number, message: string, headers: Record<string, string> = {}) =>
  fails({ status, headers, body: JSON.stringify({ status, code: 'refused', message }) })

/** What all failures share: title and sentence in list, form and notice, and both below a message. */
function failure(
  labels: PetstoreLabels,
  { title, advice }: ErrorLabels,
  sentence: string | RegExp = advice,
): Readonly<Record<'notice' | 'message', Pick<Cell, 'says'>>> {
  return {
    notice: { says: [title, sentence] },
    message: { says: [labels.messageComposer.failedBecause(title), sentence] },
  }
}

/** The list's toolbar stays where it is: its button holds while there is nothing to refresh. */
const heldRefresh = ({ categoryList }: Pick<PetstoreLabels, 'categoryList'>): Action => [categoryList.refresh, 'held']

/** Where the service names a time: every button that would send holds until then, and none does the same. */
function held(labels: PetstoreLabels, texts: ErrorLabels, sentence: RegExp): ReturnType<Situation['cells']> {
  const { categoryForm, messageComposer, errorNotice } = labels
  const { notice, message } = failure(labels, texts, sentence)
  const retry: Action = [errorNotice.retry, 'held']
  return {
    CategoryList: { ...notice, actions: [heldRefresh(labels), retry] },
    CategoryForm: { ...notice, actions: [[labelPattern(categoryForm.submitIn), 'held']] },
    MessageComposer: {
      ...message,
      actions: [
        [messageComposer.send],
        [messageComposer.retry, 'held'],
        [messageComposer.edit],
        [messageComposer.discard],
      ],
    },
    ErrorNotice: { ...notice, actions: [retry] },
  }
}

/** A request that waits, for whatever reason. */
const waits = (title: string, reason: WaitReason, icon: string, seconds: number): Situation => ({
  title,
  tone: 'warning',
  icon,
  seconds,
  service: () => waitsFor(reason, seconds),
  cells: ({ categoryForm, categoryList, messageComposer, rateLimitBadge }) => ({
    CategoryList: {
      says: [waitPattern(categoryList.waiting, reason)],
      actions: [heldRefresh({ categoryList })],
    },
    CategoryForm: {
      says: [categoryForm.waitReasons[reason], waitPattern(categoryForm.savingIn, reason)],
      actions: [[categoryForm.held, 'held'], [categoryForm.cancel]],
    },
    MessageComposer: {
      says: [waitPattern(messageComposer.waiting, reason)],
      actions: [[messageComposer.send], [messageComposer.cancel]],
    },
    ...((reason === 'connection' || reason === 'service') && {
      RateLimitBadge: { says: [rateLimitBadge[reason], labelPattern(rateLimitBadge.retryingIn)], actions: [] },
    }),
  }),
})

const limitReached = { status: 429, headers: { 'Retry-After': '300' } }
const dayUsedUp = {
  status: 429,
  headers: { 'Retry-After': '86400', 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '0' },
}

/**
 * What can happen, and what people then see, in the order in which people meet it. Components differ in what they are
 * about, never in color, icon or words.
 */
export const situations: readonly Situation[] = [
  waits('Waits its turn', 'rate-limit', clock, 12),
  waits('Waits for the connection', 'connection', cloudOff, 4),
  waits('Waits for the service', 'service', server, 4),
  {
    title: 'Request limit reached',
    tone: 'warning',
    icon: clock,
    service: fails(limitReached),
    cells: (labels) => {
      const { errorNotice, rateLimitBadge } = labels
      return {
        ...held(labels, errorNotice.errors['rate-limit'], labelPattern(errorNotice.retryIn)),
        RateLimitBadge: {
          says: [labelPattern(rateLimitBadge.pausedUntil)],
          actions: [],
          icon: pause,
        },
      }
    },
  },
  {
    title: 'Request limit reached for today',
    tone: 'warning',
    icon: clock,
    service: fails(dayUsedUp),
    cells: (labels) => {
      const { errorNotice } = labels
      const sentence = labelPattern((wait, time) => errorNotice.retryIn(wait, time ?? wait, true))
      return held(labels, errorNotice.situations.limitToday, sentence)
    },
  },
  {
    title: 'API key paused by the service',
    tone: 'warning',
    icon: pause,
    service: refuses(403, 'Too many requests.', { 'Retry-After': '300' }),
    cells: (labels) => {
      const { errorNotice, rateLimitBadge } = labels
      return {
        ...held(labels, errorNotice.situations.keyPaused, labelPattern(errorNotice.pausedFor)),
        RateLimitBadge: {
          says: [labelPattern(rateLimitBadge.pausedUntil)],
          actions: [],
        },
      }
    },
  },
  {
    title: 'API key rejected',
    tone: 'danger',
    icon: key,
    service: () => ({ apiKey: 'wrong' }),
    cells: (labels) => {
      const { categoryForm, errorNotice, messageComposer, rateLimitBadge } = labels
      const { notice, message } = failure(labels, errorNotice.errors.authentication)
      return {
        CategoryList: { ...notice, actions: [heldRefresh(labels), [errorNotice.retry]] },
        CategoryForm: { ...notice, actions: [[errorNotice.retry], [categoryForm.submit]] },
        MessageComposer: {
          ...message,
          actions: [[messageComposer.send], [messageComposer.retry], [messageComposer.edit], [messageComposer.discard]],
        },
        RateLimitBadge: { says: [rateLimitBadge.rejected, rateLimitBadge.waitsForKey], actions: [] },
        ErrorNotice: { ...notice, actions: [[errorNotice.retry]] },
      }
    },
  },
  {
    title: 'Not allowed',
    tone: 'danger',
    icon: lock,
    service: refuses(403, 'This key can only read.'),
    cells: (labels) => {
      const { categoryForm, errorNotice, messageComposer } = labels
      const { notice, message } = failure(labels, errorNotice.situations.forbidden)
      return {
        CategoryList: { ...notice, actions: [[labels.categoryList.refresh]] },
        CategoryForm: { ...notice, actions: [[categoryForm.submit]] },
        MessageComposer: {
          ...message,
          actions: [[messageComposer.send], [messageComposer.edit], [messageComposer.discard]],
        },
        ErrorNotice: { ...notice, actions: [] },
      }
    },
  },
  {
    title: 'Input that cannot be used',
    tone: 'danger',
    icon: alert,
    service: refuses(400, 'No rodents, please.'),
    cells: (labels) => {
      const { categoryForm, errorNotice, messageComposer } = labels
      const { title } = errorNotice.errors['bad-request']
      return {
        CategoryForm: {
          says: [title, 'No rodents, please.'],
          actions: [[categoryForm.submit]],
        },
        MessageComposer: {
          says: [messageComposer.failedBecause(title), 'No rodents, please.'],
          actions: [[messageComposer.send], [messageComposer.edit], [messageComposer.discard]],
        },
      }
    },
  },
  {
    title: 'Unexpected response',
    tone: 'danger',
    icon: alert,
    service: refuses(405, 'Not like this.'),
    cells: (labels) => {
      const { categoryForm, errorNotice, messageComposer } = labels
      const { notice, message } = failure(labels, errorNotice.errors['unexpected-status'], 'Not like this.')
      return {
        CategoryList: { ...notice, actions: [heldRefresh(labels), [errorNotice.retry]] },
        CategoryForm: { ...notice, actions: [[errorNotice.retry], [categoryForm.submit]] },
        MessageComposer: {
          ...message,
          actions: [[messageComposer.send], [messageComposer.retry], [messageComposer.edit], [messageComposer.discard]],
        },
        ErrorNotice: { ...notice, actions: [[errorNotice.retry]] },
      }
    },
  },
  {
    title: 'The service had a problem, for a read',
    tone: 'danger',
    icon: server,
    service: fails({ status: 500 }),
    cells: (labels) => readFailure(labels, 'server'),
  },
  {
    title: 'The service cannot be reached, for a read',
    tone: 'danger',
    icon: cloudOff,
    service: fails({ connection: 'lost-before' }),
    cells: (labels) => readFailure(labels, 'network'),
  },
  {
    title: 'A response that cannot be read, for a read',
    tone: 'danger',
    icon: alert,
    service: fails({ body: 'malformed-json' }),
    cells: (labels) => readFailure(labels, 'response-validation'),
  },
  {
    title: 'A write that may have gone through',
    tone: 'warning',
    icon: question,
    service: fails({ connection: 'lost-after' }),
    cells: ({ categoryForm, errorNotice, messageComposer }) => {
      const { title, advice } = errorNotice.situations.mayHaveHappened
      return {
        CategoryForm: { says: [title, advice], actions: [[categoryForm.createAnyway]] },
        MessageComposer: {
          says: [title, advice],
          actions: [[messageComposer.send], [messageComposer.retryAnyway], [messageComposer.discard]],
        },
      }
    },
  },
  {
    title: 'A write that went through, with a response that cannot be read',
    tone: 'warning',
    icon: check,
    service: fails({ body: 'malformed-json' }),
    cells: ({ categoryForm, messageComposer }) => ({
      CategoryForm: { says: [categoryForm.createdUnread(sample)], actions: [[categoryForm.submit]] },
      MessageComposer: {
        says: [messageComposer.acceptedUnread],
        actions: [[messageComposer.send], [messageComposer.discard]],
      },
    }),
  },
  {
    title: 'Running low',
    tone: 'warning',
    icon: gauge,
    service: () => ({ dailyLimit: 5 }),
    requests: 4,
    cells: ({ rateLimitBadge }) => ({
      RateLimitBadge: { says: [rateLimitBadge.low, labelPattern(rateLimitBadge.resetsAt)], actions: [] },
    }),
  },
  {
    title: 'Busy',
    tone: undefined,
    icon: undefined,
    service: () => neverRespond,
    cells: ({ categoryForm, categoryList, messageComposer }) => ({
      CategoryList: { says: [categoryList.loading], actions: [heldRefresh({ categoryList })] },
      CategoryForm: { says: [], actions: [[categoryForm.submitting, 'held']] },
      MessageComposer: { says: [messageComposer.sending], actions: [[messageComposer.send]] },
    }),
  },
  {
    title: 'Queued',
    tone: undefined,
    icon: undefined,
    service: () => ({ dailyLimit: 60 }),
    cells: ({ messageComposer }) => ({
      MessageComposer: { says: [messageComposer.queued], actions: [[messageComposer.send]] },
    }),
  },
  {
    title: 'Done',
    tone: 'success',
    icon: checkCircle,
    service: () => ({ dailyLimit: 60 }), // a minute may end before the badge is looked at
    cells: ({ categoryForm, rateLimitBadge }) => ({
      CategoryForm: { says: [categoryForm.created(sample)], actions: [[categoryForm.submit]] },
      RateLimitBadge: { says: [rateLimitBadge.ok], actions: [] },
    }),
  },
]

function readFailure(
  labels: PetstoreLabels,
  kind: keyof PetstoreLabels['errorNotice']['errors'],
): ReturnType<Situation['cells']> {
  const { errorNotice } = labels
  const { notice } = failure(labels, errorNotice.errors[kind])
  const retry: Action = [errorNotice.retry]
  return {
    CategoryList: { ...notice, actions: [heldRefresh(labels), retry] },
    ErrorNotice: { ...notice, actions: [retry] },
  }
}
