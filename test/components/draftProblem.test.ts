import { expect, test } from 'vitest'
import { draftProblem } from '../../src/components/MessageComposer/useDraftSubmission.ts'

test.each([
  ['', 10, 'empty'],
  [' \n\t', 1, 'empty'],
  ['a', 1, undefined],
  ['ab', 1, 'too-long'],
  ['🐇', 1, 'too-long'], // two UTF-16 units, as `maxlength` counts
  ['any length', Infinity, undefined],
])('%j with a limit of %j: %j', (draft, limit, problem) => {
  expect(draftProblem(draft, limit)).toBe(problem)
})
