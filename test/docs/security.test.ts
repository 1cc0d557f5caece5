import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8')
const guarantees = (/## Guarantees([^]*?)\nIf one/.exec(page)?.[1] ?? '').split(/\n- /).slice(1)

test('the security page has guarantees', () => {
  expect(guarantees.length).toBeGreaterThan(10)
})

test.each(guarantees.map((text) => [text.replaceAll(/\s+/g, ' ').trim()]))('names an existing test: %s', (text) => {
  const named = [...(/\(([^()]*)\)$/.exec(text)?.[1] ?? '').matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !existsSync(`test/${name}`))).toEqual([])
})
