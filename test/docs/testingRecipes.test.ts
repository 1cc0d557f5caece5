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
  ['own operations', 'own-operations.md', 'test/hooks/ownOperationsRecipe.tsx', /^const toy .*/ms],
  ['toasts', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region toast\n).*?(?=\n\/\/ #endregion)/s],
  ['data that are near', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region preload\n).*?(?=\n\/\/ #endregion)/s],
  ['a search', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region search\n).*?(?=\n\/\/ #endregion)/s],
  ['pages', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region infinite\n).*?(?=\n\/\/ #endregion)/s],
  ['a lost connection', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region offline\n).*?(?=\n\/\/ #endregion)/s],
  ['sessions', 'recipes.md', 'test/hooks/appRecipes.tsx', /(?<=#region session\n).*?(?=\n\/\/ #endregion)/s],
  ['optimistic changes', 'hooks.md', 'test/hooks/optimisticRecipe.tsx', /^const toy .*/ms],
])('the recipe for %s is the code that is tested', (_, page, path, pattern) => {
  const [code = path] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  expect(readFileSync(`docs/${page}`, 'utf8')).toContain(`${code.trimEnd()}\n\`\`\``)
})
