import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { en } from '../../src/labels/en.ts'
import { formatsFor } from '../../src/labels/formats.ts'
import { waitText } from '../../src/labels/waitText.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 })) // a wait is then also the time of its end
afterEach(() => void vi.useRealTimers())

const announced = (wait: number) => waitText((text) => en.messageComposer.waiting(text), wait, formatsFor('en-US'))

test.each([
  [12_990, '12 seconds'],
  [12_000, '12 seconds'],
  [1_000, '1 second'],
  [10, '1 second'],
])('a wait of %i ms reads %s: a second or more, without the fraction that the gate adds to be safe', (wait, text) => {
  expect(announced(wait)).toBe(`Waiting for the request limit. Will send in ${text}.`)
})
