import { expect, test } from 'vitest'
import { chainSteps, type Steps } from '../../src/client/chainSteps.ts'
import { createCall, createRespondedAttempt } from './steps/step.setup.ts'

const names = ['validateInput', 'dedupe', 'reportSettled', 'retry', 'authorize', 'rateLimit', 'transport'] as const

/** Steps that log when they are entered and left. `last` stands for `parseResponse`. */
function loggingSteps(last: () => Promise<unknown>) {
  const log: string[] = []
  const step =
    (name: string) =>
    async (_: unknown, next: (call: ReturnType<typeof createRespondedAttempt>) => Promise<unknown>) => {
      log.push(`> ${name}`)
      try {
        return await next(createRespondedAttempt())
      } finally {
        log.push(`< ${name}`)
      }
    }
  const [validateInput, dedupe, reportSettled, retry, authorize, rateLimit, transport] = names
  const steps: Steps = [
    step(validateInput),
    step(dedupe),
    step(reportSettled),
    step(retry),
    step(authorize),
    step(rateLimit),
    step(transport),
    last,
  ]
  return { steps, log }
}

const inAndOut = [...names.map((name) => `> ${name}`), ...names.toReversed().map((name) => `< ${name}`)]

test('a call passes the steps in order, and its result passes them in reverse', async () => {
  const { steps, log } = loggingSteps(async () => 'the result')
  expect(await chainSteps(steps)(createCall())).toBe('the result')
  expect(log).toEqual(inAndOut)
})

test('an error passes the steps in reverse, too', async () => {
  const mistake = new Error('in the last step')
  const { steps, log } = loggingSteps(() => Promise.reject(mistake))
  await expect(chainSteps(steps)(createCall())).rejects.toBe(mistake)
  expect(log).toEqual(inAndOut)
})

test('a step that does not call next keeps the call from the steps after it', async () => {
  const { steps, log } = loggingSteps(async () => 'never')
  const [validateInput, , ...rest] = steps
  const perform = chainSteps([validateInput, async () => 'from dedupe', ...rest])
  expect(await perform(createCall())).toBe('from dedupe')
  expect(log).toEqual(['> validateInput', '< validateInput'])
})
