import { expect, test, vi } from 'vitest'
import { abortable } from '../../src/testing/abortable.ts'

test('returns the result of the work and removes its listener', async () => {
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  expect(await abortable(Promise.resolve(7), signal)).toBe(7)
  await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
})

test('rejects with the reason of an abort before, during and at the end of the work', async () => {
  await expect(abortable(new Promise(() => {}), AbortSignal.abort('before'))).rejects.toBe('before')

  const meanwhile = new AbortController()
  const waiting = abortable(new Promise(() => {}), meanwhile.signal)
  meanwhile.abort('meanwhile')
  await expect(waiting).rejects.toBe('meanwhile')

  const atTheEnd = new AbortController()
  const ending = abortable(Promise.resolve(7), atTheEnd.signal)
  atTheEnd.abort('at the end')
  await expect(ending).rejects.toBe('at the end')
})
