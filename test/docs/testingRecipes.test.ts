import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const guide = readFileSync('stories/docs/Testing.mdx', 'utf8')

test.each([
  ['Mock Service Worker', 'test/consumers/jest/src/msw.tsx', /^const service = .*?^afterAll.*?\n/ms],
  ['Playwright', 'test/pages/routeToService.ts', /^\/\*\* Lets.*/ms],
  ['Storybook', 'test/hooks/storybookRecipe.tsx', /^export interface .*/ms],
])('the recipe for %s is the code that is tested', (_, path, pattern) => {
  const [code = path] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  expect(guide).toContain(`${code.trimEnd()}\n\`\`\``)
})
