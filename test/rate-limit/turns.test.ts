import { describe, expect, it } from 'vitest'
import { emptyRecord, type GateRecord, type WaitingPage } from '../../src/rate-limit/GateRecord.ts'
import { nextRenewalAt, type PageUpdate, recordTurn, turnOf } from '../../src/rate-limit/turns.ts'

const now = 1_000_000_000_000
const waiting = (fields: Partial<WaitingPage> = {}): WaitingPage => ({
  user: true,
  background: false,
  from: now,
  served: 0,
  ...fields,
})
const record = (pages: Record<string, WaitingPage>): GateRecord => ({ ...emptyRecord, waiting: pages })
const background = { user: false, background: true }

describe('the share of a page', () => {
  const share = (pages: Record<string, WaitingPage>, units: number, priority: 'user' | 'background' = 'user') =>
    turnOf(record(pages), 'mine', priority, now).shareOf(units)

  it('is everything if no other page waits now', () => {
    expect(turnOf(record({}), 'mine', 'user', now)).toMatchObject({ rivals: 0, rivalsUntil: Infinity })
    expect(share({}, 9)).toBe(Infinity)
    expect(share({ mine: waiting() }, 9)).toBe(Infinity)
    expect(share({ gone: waiting({ from: now - 1_000 }) }, 9)).toBe(Infinity)
    expect(share({ later: waiting({ from: now + 1 }) }, 9)).toBe(Infinity)
    expect(share({ idle: waiting({ user: false }) }, 9)).toBe(Infinity)
  })

  it('is the same for all, and at least one', () => {
    expect(share({ mine: waiting(), a: waiting(), b: waiting() }, 60)).toBe(20)
    expect(share({ a: waiting({ served: 7 }), b: waiting({ served: 7 }) }, 60)).toBe(20)
    expect(share({ mine: waiting(), a: waiting(), b: waiting() }, 1)).toBe(1)
  })

  it('counts what each has got, and is nothing for one that has got more', () => {
    expect(share({ mine: waiting({ served: 20 }), a: waiting() }, 40)).toBe(10)
    expect(share({ mine: waiting({ served: 20 }), a: waiting() }, 20)).toBe(0)
    expect(share({ mine: waiting(), a: waiting({ served: 20 }) }, 20)).toBe(20)
  })

  it('forgets what a page has got that has not waited for a second', () => {
    expect(share({ mine: waiting({ served: 20, from: now - 1_000 }), a: waiting() }, 10)).toBe(5)
  })

  it('of background requests is nothing while people wait elsewhere; people do not wait for background requests', () => {
    expect(share({ a: waiting() }, 60, 'background')).toBe(0)
    expect(share({ a: waiting(background) }, 60, 'background')).toBe(30)
    expect(share({ a: waiting(background) }, 60, 'user')).toBe(Infinity)
  })

  it('ends to be held back when the first of the others no longer counts', () => {
    const pages = { a: waiting({ from: now - 300 }), b: waiting({ from: now - 10 }) }
    expect(turnOf(record(pages), 'mine', 'user', now).rivalsUntil).toBe(now + 700)
  })
})

describe('a page', () => {
  const update = (fields: Partial<PageUpdate> = {}): PageUpdate => ({
    user: false,
    background: false,
    notBefore: now,
    hasSent: false,
    shared: 0,
    othersInFlight: false,
    ...fields,
  })
  const tell = (pages: Record<string, WaitingPage>, fields: Partial<PageUpdate>) =>
    recordTurn(record(pages), 'mine', update(fields), now).waiting
  const isUnchanged = (pages: Record<string, WaitingPage>, fields: Partial<PageUpdate>) => tell(pages, fields) === pages

  it('tells when it begins to wait, and until when, and when it no longer waits', () => {
    expect(tell({}, { user: true, notBefore: now + 9_000 })).toEqual({ mine: waiting({ from: now + 9_000 }) })
    expect(tell({ mine: waiting() }, { background: true })).toEqual({ mine: waiting(background) })
    expect(tell({ mine: waiting({ from: now + 9_000 }) }, {})).toEqual({})
  })

  it('tells nothing that the others know', () => {
    expect(isUnchanged({}, {})).toBe(true)
    expect(isUnchanged({ mine: waiting({ from: now - 400 }), a: waiting() }, { user: true })).toBe(true)
    expect(isUnchanged({ mine: waiting({ from: now - 1_000 }) }, {})).toBe(true)
  })

  it('repeats that it waits after half a second, unless it is alone', () => {
    const mine = waiting({ from: now - 500 })
    expect(isUnchanged({ mine }, { user: true })).toBe(true)
    expect(tell({ mine, a: waiting() }, { user: true })).toEqual({ mine: waiting(), a: waiting() })
    expect(tell({ mine }, { user: true, othersInFlight: true })).toEqual({ mine: waiting() })
    const renewal = (pages: Record<string, WaitingPage>, fields: Partial<PageUpdate>) =>
      nextRenewalAt(record(pages), 'mine', update(fields), now)
    expect(renewal({ mine: waiting(), a: waiting() }, { user: true })).toBe(now + 500)
    expect(renewal({ mine: waiting() }, { user: true })).toBe(Infinity)
    expect(renewal({ mine: waiting(), a: waiting() }, { user: true, notBefore: now + 1 })).toBe(Infinity)
    expect(renewal({ mine: waiting(), a: waiting() }, {})).toBe(Infinity)
  })

  it('is remembered with what it has got', () => {
    const a = waiting({ served: 4 })
    expect(tell({ a }, { hasSent: true, shared: 3 })).toEqual({ a, mine: waiting({ user: false, served: 7 }) })
    expect(tell({ a, mine: waiting({ served: 5 }) }, { user: true, hasSent: true, shared: 3 })).toMatchObject({
      mine: { served: 8 },
    })
  })

  it('removes those that no longer count, and no others, however many they are', () => {
    expect(tell({ gone: waiting({ from: now - 1_000 }), a: waiting() }, { user: true })).toEqual({
      a: waiting(),
      mine: waiting(),
    })
    const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`page-${index}`, waiting()]))
    expect(isUnchanged(many, { user: true })).toBe(true)
    expect(Object.keys(tell({ ...many, mine: waiting() }, { background: true }))).toHaveLength(33)
  })
})
