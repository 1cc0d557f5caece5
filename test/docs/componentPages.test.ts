import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type ApiMember, readApi } from '../../.storybook/readApi.ts'
import { en } from '../../src/labels/en.ts'
import { formatsFor } from '../../src/labels/formats.ts'
import { allFacts } from '../../stories/docs/components/allFacts.ts'
import { labelRows } from '../../stories/docs/components/labelRows.ts'
import { describePart } from '../../stories/docs/components/parts.ts'
import { sceneViews } from '../../stories/docs/components/sceneViews.tsx'

const api = readApi('src')

test('every component has facts', () => {
  const folders = readdirSync('src/components', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(Object.keys(allFacts).toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

describe.each(Object.entries(allFacts))('the page of %s', (name, facts) => {
  test('shows and describes every part once', () => {
    const shown = facts.scenes.flatMap(({ parts }) => parts)
    // Class names are parts, and so are the props that hold the props of another component.
    const isPart = ({ type }: ApiMember) => facts.partsType.endsWith('ClassNames') || /Props\b/.test(type)
    const members = api[facts.partsType]?.members.filter(isPart) ?? []
    expect(members).not.toEqual([])
    expect(new Set(shown)).toEqual(new Set(members.map((member) => member.name)))
    expect(shown).toHaveLength(members.length)
    expect(shown.filter((part) => !describePart(part, facts, api).endsWith('.'))).toEqual([])
    expect(Object.keys(facts.partTexts).filter((part) => !shown.includes(part))).toEqual([])
  })

  test('has six examples that exist', () => {
    const source = readFileSync(`stories/${name}.stories.tsx`, 'utf8')
    const exported = Array.from(source.matchAll(/^export const (\w+) = meta\.story/gm), ([, story = '']) => story)
    expect(facts.examples).toHaveLength(6)
    expect(facts.examples.filter((story) => !exported.includes(story))).toEqual([])
  })

  test('has a picture for each title', () => {
    const pictures = Object.keys(sceneViews).filter((key) => key.startsWith(`${name}/`))
    expect(pictures).toEqual(facts.scenes.map(({ title }) => `${name}/${title}`))
  })

  test('says nothing about keys and speech that the requirements do not say', () => {
    const requirements = readFileSync(`src/components/${name}/SPEC.md`, 'utf8')
    const lines = new Set(Array.from(requirements.matchAll(/^- \*{0,2}([A-Z]\d+)\b/gm), ([, line = '']) => line))
    const named = [...facts.keys, ...facts.spoken].flatMap(({ spec }) => spec)
    expect(named).not.toEqual([])
    expect(named.filter((line) => !lines.has(line))).toEqual([])
  })

  test('has words for what is spoken', () => {
    const texts = facts.spoken.flatMap(({ says }) => says?.(en, formatsFor('en')) ?? [])
    expect(texts.filter((text) => /undefined|\bNaN\b|^\W*$/.test(text))).toEqual([])
  })
})

const groups = Object.values(allFacts).flatMap(({ labels }) => labels ?? [])

test.each(groups)('lists every label of %s with its English text', (group) => {
  const rows = labelRows(group, api)
  expect(rows.map(({ name }) => name.split('.')[0])).toEqual(expect.arrayContaining(Object.keys(en[group])))
  expect(rows.filter(({ description }) => description === '')).toEqual([])
  expect(rows.filter(({ text }) => text === '' || /undefined|\bNaN\b|#|=>/.test(text))).toEqual([])
})

test('shows arguments as names and numbers as examples', () => {
  const texts = Object.fromEntries(labelRows('categoryList', api).map(({ name, text }) => [name, text]))
  expect(texts).toMatchObject({
    refresh: 'Refresh',
    matches: '2 of 5 categories',
    noMatch: 'No categories match “{filter}”.',
  })
  expect(labelRows('errorNotice', api)).toContainEqual({
    name: 'errors.network.title',
    text: "Can't reach the service",
    description: 'The title.',
  })
})
