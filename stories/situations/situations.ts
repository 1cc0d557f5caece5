import { alwaysFail, neverRespond } from '../../.storybook/faults.ts'
import type { ServiceParameters } from '../../.storybook/StoryService.tsx'
import {
  alert,
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

/** The visible name of a button, and `held` if it can be focused, but does nothing yet. */
export type Action = readonly [name: string | RegExp, held?: 'held']

/** What one component says in one situation. */
interface Cell {
  /** Texts that it contains. */
  readonly says: readonly (string | RegExp)[]
  /** All its buttons that are about the situation. */
  readonly actions: readonly Action[]
  /** Tone and icon where they differ from those of the situation. */
  readonly tone?: Tone
  readonly icon?: string | undefined
}

type Cells = Readonly<Partial<Record<ComponentName, Cell>>>

export interface Situation {
  /** In English, the playground's language. */
  readonly title: string
  /** `undefined`: a spinner or a placeholder, which has no tone. */
  readonly tone: Tone | undefined
  readonly icon: string | undefined
  /** How the service of each cell behaves. */
  readonly service: (component: ComponentName) => ServiceParameters
  /** How many requests bring the badge into the situation. Default 1. */
  readonly requests?: number
  /** The components in which it can occur. */
  readonly cells: (labels: PetstoreLabels) => Cells
}

/** The name of the category, and the message, that each cell sends. */
export const sample = 'Hamster'

const fails = (fault: Fault) => () => ({ prepare: alwaysFail(fault) })

const refuses = (status: number, message: string, headers: Record<string, string> = {}) =>
  fails({ status, headers, body: JSON.stringify({ status, code: 'refused', message }) })

/** What all failures share: title and sentence, in a notice of list or form, and below a message. */
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

/** “Refresh” of a list without rows: it stays, so that the toolbar does not move, but does nothing yet. */
const heldRefresh = ({ categoryList }: Pick<PetstoreLabels, 'categoryList'>): Action => [categoryList.refresh, 'held']

/** A refusal that names a time: every button that would send the request again is `held` until then. */
function held(labels: PetstoreLabels, texts: ErrorLabels, sentence: RegExp): Cells {
  const { categoryForm, messageComposer, errorNotice } = labels
  const { notice, message } = failure(labels, texts, sentence)
  const { edit, discard } = messageComposer
  const send = labelPattern(messageComposer.sendIn)
  const retry: Action = [errorNotice.retry, 'held']
  return {
    CategoryList: { ...notice, actions: [heldRefresh(labels), retry] },
    CategoryForm: { ...notice, actions: [[labelPattern(categoryForm.submitIn), 'held']] },
    MessageComposer: { ...message, actions: [[send, 'held'], retry, [edit], [discard]] },
    RateLimitBadge: { says: [labelPattern(labels.rateLimitBadge.pausedUntil)], actions: [], icon: pause },
    ErrorNotice: { ...notice, actions: [retry] },
  }
}

/** A refusal after which people can try again. */
function refused(labels: PetstoreLabels, texts: ErrorLabels, sentence?: string): Cells {
  const { categoryForm, messageComposer, errorNotice } = labels
  const { notice, message } = failure(labels, texts, sentence)
  const { send, edit, discard } = messageComposer
  return {
    CategoryList: { ...notice, actions: [heldRefresh(labels), [errorNotice.retry]] },
    CategoryForm: { ...notice, actions: [[categoryForm.submit]] },
    MessageComposer: { ...message, actions: [[send], [errorNotice.retry], [edit], [discard]] },
    ErrorNotice: { ...notice, actions: [[errorNotice.retry]] },
  }
}

/** A read has failed, and a write may have been carried out. */
function lost(labels: PetstoreLabels, kind: 'server' | 'network'): Cells {
  const { categoryForm, errorNotice } = labels
  const { send, retryAnyway, discard } = labels.messageComposer
  const { title, advice } = errorNotice.situations.mayHaveHappened
  const unknown = { says: [title, advice], tone: 'warning', icon: question } as const
  return {
    ...refused(labels, errorNotice.errors[kind]),
    CategoryForm: { ...unknown, actions: [[categoryForm.createAnyway]] },
    MessageComposer: { ...unknown, actions: [[send], [retryAnyway], [discard]] },
  }
}

const succeeded = { tone: 'success', icon: checkCircle } as const

/** Half an hour, so that no wait ends while someone looks. */
const waitSeconds = 1_800

/** A request that waits, for whatever reason. */
const waits = (title: string, reason: WaitReason, icon: string): Situation => ({
  title,
  tone: 'warning',
  icon,
  service: () => waitsFor(reason, waitSeconds, false, Infinity),
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
    // A problem of the service holds only the call that met it, not the other calls of the key.
    ...(reason !== 'service' && {
      RateLimitBadge: {
        says:
          reason === 'connection'
            ? [rateLimitBadge.connection, labelPattern(rateLimitBadge.retryingIn)]
            : [labelPattern(rateLimitBadge.exhaustedUntil)],
        actions: [],
      },
    }),
  }),
})

/** Half an hour, but not past midnight: a wait until tomorrow would mean that the day is used up. */
function waitToday(): Record<string, string> {
  const toMidnight = (new Date().setHours(24, 0, 0, 0) - Date.now()) / 1_000
  return { 'Retry-After': String(Math.min(waitSeconds, Math.floor(toMidnight) - 10)) }
}
const dayUsedUp = { 'Retry-After': '86400', 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '0' }

/**
 * What can happen, and what people then see, in the order in which people meet it. Components differ in what they are
 * about, never in color, icon or words.
 */
export const situations: readonly Situation[] = [
  waits('Waits its turn', 'rate-limit', clock),
  waits('Waits for the connection', 'connection', cloudOff),
  waits('Waits for the service', 'service', server),
  {
    title: 'Request limit reached',
    tone: 'warning',
    icon: clock,
    service: () => fails({ status: 429, headers: waitToday() })(),
    cells: (labels) => {
      const { errorNotice } = labels
      return held(labels, errorNotice.errors['rate-limit'], labelPattern(errorNotice.retryIn))
    },
  },
  {
    title: 'Request limit reached for today',
    tone: 'warning',
    icon: clock,
    service: fails({ status: 429, headers: dayUsedUp }),
    cells: (labels) => {
      const { errorNotice, rateLimitBadge } = labels
      const sentence = labelPattern((wait, time) => errorNotice.retryIn(wait, time ?? wait, true))
      const usedUp = { says: [labelPattern(rateLimitBadge.exhaustedUntil)], actions: [] }
      return { ...held(labels, errorNotice.situations.limitToday, sentence), RateLimitBadge: usedUp }
    },
  },
  {
    title: 'API key paused by the service',
    tone: 'warning',
    icon: pause,
    service: () => refuses(403, 'Too many requests.', waitToday())(),
    cells: (labels) => {
      const { errorNotice } = labels
      return held(labels, errorNotice.situations.keyPaused, labelPattern(errorNotice.pausedFor))
    },
  },
  {
    title: 'API key rejected',
    tone: 'danger',
    icon: key,
    service: () => ({ apiKey: 'wrong' }),
    cells: (labels) => ({
      ...refused(labels, labels.errorNotice.errors.authentication),
      RateLimitBadge: { says: [labels.rateLimitBadge.rejected, labels.rateLimitBadge.waitsForKey], actions: [] },
    }),
  },
  {
    title: 'Not allowed',
    tone: 'danger',
    icon: lock,
    service: refuses(403, 'This key can only read.'),
    cells: (labels) => {
      const { notice, message } = failure(labels, labels.errorNotice.situations.forbidden)
      const { send, edit, discard } = labels.messageComposer
      return {
        CategoryList: { ...notice, actions: [[labels.categoryList.refresh]] },
        CategoryForm: { ...notice, actions: [[labels.categoryForm.submit]] },
        MessageComposer: { ...message, actions: [[send], [edit], [discard]] },
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
      const { notice, message } = failure(labels, labels.errorNotice.errors['bad-request'], 'No rodents, please.')
      const { send, edit, discard } = labels.messageComposer
      return {
        CategoryForm: { ...notice, actions: [[labels.categoryForm.submit]] },
        MessageComposer: { ...message, actions: [[send], [edit], [discard]] },
      }
    },
  },
  {
    title: 'Unexpected response',
    tone: 'danger',
    icon: alert,
    service: refuses(405, 'Not like this.'),
    cells: (labels) => refused(labels, labels.errorNotice.errors['unexpected-status'], 'Not like this.'),
  },
  {
    title: 'The service has a problem',
    tone: 'danger',
    icon: server,
    service: fails({ status: 500, body: JSON.stringify({}) }),
    cells: (labels) => lost(labels, 'server'),
  },
  {
    title: 'The service cannot be reached',
    tone: 'danger',
    icon: cloudOff,
    service: (component) =>
      component === 'RateLimitBadge' ? waitsFor('connection', waitSeconds) : fails({ connection: 'lost-after' })(),
    cells: (labels) => ({
      ...lost(labels, 'network'),
      RateLimitBadge: { says: [labels.rateLimitBadge.connection], actions: [], tone: 'warning' },
    }),
  },
  {
    title: 'A response that cannot be read',
    tone: 'danger',
    icon: alert,
    service: fails({ body: 'malformed-json' }),
    cells: (labels) => {
      const { categoryForm } = labels
      const { acceptedUnread, send, discard } = labels.messageComposer
      const wentThrough = { tone: 'warning', icon: checkCircle } as const
      return {
        ...refused(labels, labels.errorNotice.errors['response-validation']),
        CategoryForm: { ...wentThrough, says: [categoryForm.createdUnread(sample)], actions: [[categoryForm.submit]] },
        MessageComposer: { ...wentThrough, says: [acceptedUnread], actions: [[send], [discard]] },
      }
    },
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
    cells: ({ categoryForm, categoryList, messageComposer, rateLimitBadge }) => ({
      CategoryList: { says: [categoryList.loading], actions: [heldRefresh({ categoryList })] },
      CategoryForm: { says: [], actions: [[categoryForm.submitting, 'held']] },
      MessageComposer: { says: [messageComposer.sending], actions: [[messageComposer.send]] },
      RateLimitBadge: { says: [rateLimitBadge.unknown], actions: [] },
    }),
  },
  {
    title: 'Done',
    tone: 'success',
    icon: checkCircle,
    service: (component) => (component === 'CategoryList' ? { categories: [{ name: 'Dog' }, { name: sample }] } : {}),
    // A queued message has no success icon: the interface document shows no later status.
    cells: ({ categoryForm, categoryList, messageComposer }) => ({
      CategoryList: { says: [sample], actions: [[categoryList.refresh]], icon: undefined },
      CategoryForm: { says: [categoryForm.created(sample)], actions: [[categoryForm.submit]] },
      MessageComposer: { says: [messageComposer.queued], actions: [[messageComposer.send]], icon: undefined },
    }),
  },
]

/** The cells of a situation. Unless its `cells` say otherwise, the badge shows that requests are left. */
export const cellsOf = ({ cells }: Situation, labels: PetstoreLabels): Cells => ({
  RateLimitBadge: { ...succeeded, says: [labels.rateLimitBadge.ok], actions: [] },
  ...cells(labels),
})
