import { expect, test } from 'vitest'
import { repeatedSentences, sentencesOf } from './repeatedSentences.ts'

test('finds what is spoken twice, also within one text, with or without its full stop', () => {
  expect(repeatedSentences(['Enter a name', ...sentencesOf('5 categories. Enter a name.')])).toEqual(['Enter a name'])
})

test('accepts single words that are repeated, such as states, and the modes of Orca', () => {
  expect(repeatedSentences(['checked', 'Dog', 'checked'])).toEqual([])
  expect(repeatedSentences(['Focus mode', 'Browse mode', 'Focus mode', 'Browse mode'])).toEqual([])
})
