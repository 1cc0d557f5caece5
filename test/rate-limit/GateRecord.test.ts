import { expect, it } from 'vitest'
import { type GateRecord, rebaseAfterClockRollback, unknownClockSkew } from '../../src/rate-limit/GateRecord.ts'

const now = 1_000_000_000_000
const gateWindow = { limit: 60, remaining: 10, reset: 5, resetAt: now + 30_000 }
const record: GateRecord = {
  updatedAt: now,
  cooldownUntil: now + 1_000,
  cooldownStartedAt: now - 1_000,
  cooldownOwner: 'page',
  clearedAt: 0,
  consecutiveRefusals: 2,
  failures: {
    succeededAt: now - 60_000,
    count: 3,
    status: 503,
    pauses: 1,
    pausedAt: now - 2_000,
    pauseUntil: now + 2_000,
    probedAt: now - 1_000,
    newAddresses: 1,
    addresses: { orders: { failedAt: now - 3_000, retryAt: now + 600_000, status: 503 } },
    gateway: {
      burstAt: now - 9_000,
      refused: 3,
      row: 2,
      gap: 2_000,
      changedAt: now - 8_000,
      sentAt: now - 7_000,
      passed: 1,
    },
  },
  windows: [gateWindow],
  maxInFlight: 4,
  localUsage: [{ at: now - 5_000, count: 3 }],
  inFlight: { a: { count: 1, since: now - 1_000, until: now + 6_000, owner: 'page' } },
  lostUnits: 7,
  waiting: {},
  skew: { min: -5, max: 5 },
}

it('returns the same object for a difference of up to a second, which two tabs may have', () => {
  const ahead = { ...record, updatedAt: now + 1_000 }
  expect(rebaseAfterClockRollback(ahead, now)).toBe(ahead)
})

it('moves all times back by a larger difference, and forgets the skew', () => {
  expect(rebaseAfterClockRollback(record, now - 5_000)).toEqual({
    updatedAt: now - 5_000,
    cooldownUntil: now - 4_000,
    cooldownOwner: 'page',
    cooldownStartedAt: now - 6_000,
    clearedAt: 0,
    consecutiveRefusals: 2,
    failures: {
      succeededAt: now - 65_000,
      count: 3,
      status: 503,
      pauses: 1,
      pausedAt: now - 7_000,
      pauseUntil: now - 3_000,
      probedAt: now - 6_000,
      newAddresses: 1,
      addresses: { orders: { failedAt: now - 8_000, retryAt: now + 595_000, status: 503 } },
      gateway: {
        burstAt: now - 14_000,
        refused: 3,
        row: 2,
        gap: 2_000,
        changedAt: now - 13_000,
        sentAt: now - 12_000,
        passed: 1,
      },
    },
    windows: [{ ...gateWindow, resetAt: now + 25_000 }],
    maxInFlight: 4,
    localUsage: [{ at: now - 10_000, count: 3 }],
    inFlight: { a: { count: 1, since: now - 6_000, until: now + 1_000, owner: 'page' } },
    lostUnits: 7,
    waiting: {},
    skew: unknownClockSkew,
  })
  expect(rebaseAfterClockRollback({ ...record, updatedAt: now + 1_001 }, now).cooldownUntil).toBe(now - 1)
})

it('makes no time negative', () => {
  expect(rebaseAfterClockRollback({ ...record, cooldownStartedAt: 3 }, now - 5_000).cooldownStartedAt).toBe(0)
})
