import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicNames } from '../../.storybook/entries.ts'

const skillName = 'petstore-react'
const [, frontMatter = '', body = ''] =
  /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(`skills/${skillName}/SKILL.md`, 'utf8')) ?? []

test('the front matter has the fields that agents read', () => {
  const fields = new Map(
    frontMatter.split('\n').map((line): [string, string] => {
      const [, field = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
      return [field, value]
    }),
  )
  expect([...fields.keys()]).toEqual(['name', 'description', 'license'])
  expect(fields.get('name')).toBe(skillName)
  expect(fields.get('description')).toContain('Use when')
  expect(fields.get('description')?.length).toBeLessThanOrEqual(1_024)
  // A colon and a space inside would make the line invalid YAML.
  expect(fields.get('description')).not.toContain(': ')
})

test('a table says when to use each component', () => {
  const components = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const rows = body.match(/^\|.*\|$/gm)?.join('\n') ?? ''
  expect([...components, 'PetstoreErrorBoundary'].filter((name) => !rows.includes(`\`${name}\``))).toEqual([])
})

test('every hook that the skill names exists', () => {
  const exported = new Set(publicNames('src/index.ts').map((one) => one.name))
  const named = new Set(body.match(/\buse[A-Z]\w+/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((hook) => !exported.has(hook))).toEqual(['useActionState']) // a hook of React
})

test('the skill lists five mistakes, and has fewer than 500 lines', () => {
  const [, mistakes = ''] = /^## Avoid five mistakes\n(.*?)^## /ms.exec(body) ?? []
  expect(mistakes.match(/^\d\. \*\*.+?\*\*/gm)).toHaveLength(5)
  expect(body.split('\n').length).toBeLessThan(500)
})
