import { expect, it } from 'vitest'
import { isRecordChange } from '../../../src/rate-limit/stores/browserStore.ts'

it('recognizes a message that another tab sent', () => {
  expect(isRecordChange({ name: 'key', record: undefined })).toBe(true)
})

it.each([null, undefined, 'text', {}, { name: 'key' }, { record: 1 }, { name: 3, record: 1 }])(
  'does not recognize %j',
  (data) => {
    expect(isRecordChange(data)).toBe(false)
  },
)
