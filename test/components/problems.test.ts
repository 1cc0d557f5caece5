import { expect, test } from 'vitest'
import { needsSummary } from '../../src/components/CategoryForm/ProblemSummary.tsx'
import type { Problem } from '../../src/components/CategoryForm/useCategorySubmission.ts'

const problem = (field: Problem['field']): Problem => ({ field, text: 'This is wrong.' })

test.each([
  ['no problem', [], false],
  ['one problem of a field', [problem('name')], false],
  ['one problem of no field', [problem(undefined)], true],
  ['problems of two fields', [problem('name'), problem('description')], true],
])('only several problems, or one of no field, need a summary: %s', (_, problems, expected) => {
  expect(needsSummary(problems)).toBe(expected)
})
