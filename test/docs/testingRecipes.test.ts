import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each([
  [
    'Mock Service Worker',
    'testing-your-app.md',
    'test/consumers/node/jest/msw.tsx',
    /^const service = .*?^afterAll.*?\n/ms,
  ],
  ['Playwright', 'testing-your-app.md', 'test/pages/routeToService.ts', /^\/\*\* Lets.*/ms],
  ['Storybook', 'testing-your-app.md', 'test/hooks/storybookRecipe.tsx', /^export interface .*/ms],
])('the recipe for %s holds, word for word, the code that a test runs', (_, page, path, pattern) => {
  // Without a match the test fails: no guide has a code block that ends with the path.
  const [code = path] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  expect(readFileSync(`docs/${page}`, 'utf8')).toContain(`${code.trimEnd()}\n\`\`\``)
})
