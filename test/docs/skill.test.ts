import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicNames } from '../../.storybook/entries.ts'

const name = 'petstore-react'
const [, frontMatter = '', body = ''] =
  /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(`skills/${name}/SKILL.md`, 'utf8')) ?? []

test('the front matter is as agents read it', () => {
  const fields = new Map(
    frontMatter.split('\n').map((line): [string, string] => {
      const [, field = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
      return [field, value]
    }),
  )
  expect([...fields.keys()]).toEqual(['name', 'description', 'license'])
  expect(fields.get('name')).toBe(name)
  expect(fields.get('description')).toContain('Use when')
  expect(fields.get('description')?.length).toBeLessThanOrEqual(1_024)
  // A colon and a space inside would make the line invalid YAML.
  expect(fields.get('description')).not.toContain(': ')
})

test('it says when to use each hook and each component, and names no others', () => {
  const hooks = publicNames('src/index.ts').flatMap((one) => (one.kind === 'value' ? [one.name] : []))
  const components = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const rows = body.match(/^\|.*\|$/gm)?.join('\n') ?? ''
  const choices = [...hooks.filter((hook) => hook.startsWith('use')), ...components, 'PetstoreErrorBoundary']
  expect(choices.filter((choice) => !rows.includes(`\`${choice}`))).toEqual([])
  // `useActionState` is React's.
  const mentioned = new Set(body.match(/\buse[A-Z]\w+/g))
  expect([...mentioned].filter((hook) => !hooks.includes(hook))).toEqual(['useActionState'])
})

test('it lists five mistakes, and stays short enough to be read whole', () => {
  const [, mistakes = ''] = /^## Avoid five mistakes\n(.*?)^## /ms.exec(body) ?? []
  expect(mistakes.match(/^\d\. \*\*.+?\*\*/gm)).toHaveLength(5)
  expect(body.split('\n').length).toBeLessThan(500)
})
