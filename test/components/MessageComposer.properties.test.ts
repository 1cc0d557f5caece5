import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  blankOutbox,
  changeOutbox,
  type Outbox,
  type OutboxChange,
  type OutboxState,
} from '../../src/components/MessageComposer/outbox.ts'
import { RateLimitError } from '../../src/index.ts'

const states: readonly OutboxState[] = [
  { status: 'sending' },
  { status: 'waiting', wait: { until: 1, reason: 'rate-limit', isEarliest: false } },
  { status: 'accepted', response: { id: '1', message: '', status: 'queued', createdAt: '2026-01-01T00:00:00Z' } },
  { status: 'failed', error: new Error('of a test') },
  { status: 'unknown', error: new Error('of a test') },
  { status: 'applied', error: new Error('of a test') },
  { status: 'cancelled' },
]

const client = {}
const refusal = { error: new RateLimitError({ operation: 'sendMessage', attempts: 0 }, 1), client }
const id = fc.constantFrom('a', 'b', 'c')

/** Each text that is not blank is unique, so that it can be followed. */
const written: fc.Arbitrary<OutboxChange> = fc
  .oneof({ weight: 4, arbitrary: fc.uuid() }, fc.constantFrom('', ' '))
  .map((text) => ({ type: 'write', text }))
const sent: fc.Arbitrary<OutboxChange> = id.map((chosen) => ({ type: 'send', id: chosen, at: 1, client }))
const anyChange: fc.Arbitrary<OutboxChange> = fc.oneof(
  sent,
  written,
  id.map((chosen): OutboxChange => ({ type: 'retry', id: chosen, client })),
  fc.option(id, { nil: undefined }).map((chosen): OutboxChange => ({ type: 'refuse', id: chosen, refusal })),
  fc.record({ id, state: fc.constantFrom(...states) }).map((next): OutboxChange => ({ type: 'transition', ...next })),
  fc.record({ id, type: fc.constantFrom('edit' as const, 'discard' as const) }),
)

/** Half of the groups write and send a text, so that there are messages to change. */
const changeSequence = fc
  .array(fc.oneof(fc.tuple(written, sent), fc.tuple(anyChange, anyChange, anyChange)), { size: '+1' })
  .map((groups) => groups.flat())

const find = ({ messages }: Outbox, wanted: string) => messages.find((message) => message.id === wanted)
const textsOf = ({ draft, messages }: Outbox) =>
  [draft, ...messages.map(({ text }) => text)].filter((text) => text.trim() !== '').toSorted()

/** Runs `check` after each change of many random sequences. */
function holds(check: (before: Outbox, after: Outbox, made: OutboxChange) => void): void {
  fc.assert(
    fc.property(changeSequence, (changes) => {
      let outbox = blankOutbox
      for (const made of changes) {
        // Real ids are random and unique.
        if (made.type === 'send' && find(outbox, made.id)) continue
        const after = changeOutbox(outbox, made)
        check(outbox, after, made)
        outbox = after
      }
    }),
    { numRuns: 200 },
  )
}

test('T1 no text is lost or doubled by anything but being typed over or discarded', () => {
  let discarded = 0
  holds((before, after, made) => {
    if (made.type === 'write') return
    const gone = made.type === 'discard' && after !== before ? find(before, made.id) : undefined
    if (gone) discarded += 1
    expect([...textsOf(after), ...(gone ? [gone.text] : [])].toSorted()).toEqual(textsOf(before))
  })
  expect(discarded).toBeGreaterThan(20)
})

test('S8 a refused text is in the field, and the refusal goes with the text or when it is sent', () => {
  let refused = 0
  holds((before, after, made) => {
    if (made.type === 'send' && after !== before) expect(after.refusal).toBeUndefined()
    if (after.draft === '' && before.draft !== '') expect(after.refusal).toBeUndefined()
    if (made.type !== 'refuse' || made.id === undefined || after === before) return
    refused += 1
    expect(find(before, made.id)).toMatchObject({ text: after.draft, state: { status: 'sending' } })
    expect(after.refusal).toBe(refusal)
  })
  expect(refused).toBeGreaterThan(0)
})

test('S3 an accepted message is never sent again, and one that may have been sent only by a retry', () => {
  holds((before, after, made) => {
    for (const message of before.messages) {
      const { status } = message.state
      const next = find(after, message.id)
      if (status === 'accepted') expect(next).toBe(message)
      if (status === 'applied') expect(next === undefined || next.state === message.state).toBe(true)
      if (status === 'unknown' && next?.state !== message.state) expect(made.type).toMatch(/retry|discard/)
      if (status === 'unknown') expect(after.draft).not.toBe(message.text)
    }
  })
})

test('S4 only a waiting message can be canceled', () => {
  holds((before, after, made) => {
    if (made.type !== 'transition' || made.state.status !== 'cancelled') return
    const status = find(before, made.id)?.state.status
    expect(after === before).toBe(status !== 'waiting')
  })
})

test('S5 the order stays', () => {
  holds((before, after, made) => {
    const ids = (outbox: Outbox) => outbox.messages.map((message) => message.id)
    const kept = ids(before).filter((one) => find(after, one))
    expect(ids(after)).toEqual(made.type === 'send' && after !== before ? [made.id, ...kept] : kept)
  })
})
