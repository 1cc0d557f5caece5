import { expect, test } from 'vitest'
import { type Call, chainSteps } from '../../src/client/Call.ts'
import { createCall } from './steps/step.setup.ts'

/** Steps that log when they are entered and left. */
function loggingSteps() {
  const log: string[] = []
  const step = (name: string) => async (call: Call, next: (call: Call) => Promise<unknown>) => {
    log.push(`> ${name}`)
    try {
      return await next({ ...call, id: `${call.id}${name}` })
    } finally {
      log.push(`< ${name}`)
    }
  }
  return { step, log }
}

const inAndOut = ['> a', '> b', '> c', '< c', '< b', '< a']

test('a call passes the steps in order, and its result passes them in reverse', async () => {
  const { step, log } = loggingSteps()
  const perform = chainSteps(step('a'))
    .to(step('b'))
    .to(step('c'))
    .end(async ({ id }) => id)
  expect(await perform({ ...createCall(), id: '' })).toBe('abc')
  expect(log).toEqual(inAndOut)
})

test('an error passes the steps in reverse, too', async () => {
  const mistake = new Error('in the last step')
  const { step, log } = loggingSteps()
  const steps = chainSteps(step('a')).to(step('b')).to(step('c'))
  await expect(steps.end(() => Promise.reject(mistake))(createCall())).rejects.toBe(mistake)
  expect(log).toEqual(inAndOut)
})

test('a step that does not call next keeps the call from the steps after it', async () => {
  const { step, log } = loggingSteps()
  const perform = chainSteps(step('a'))
    .to(async () => 'from b')
    .to(step('c'))
    .end(async () => 'never')
  expect(await perform(createCall())).toBe('from b')
  expect(log).toEqual(['> a', '< a'])
})
