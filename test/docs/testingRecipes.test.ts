import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each([
  ['Mock Service Worker', 'Testing.mdx', 'test/consumers/node/jest/msw.tsx', /^const service = .*?^afterAll.*?\n/ms],
  ['Playwright', 'Testing.mdx', 'test/pages/routeToService.ts', /^\/\*\* Lets.*/ms],
  ['Storybook', 'Testing.mdx', 'test/hooks/storybookRecipe.tsx', /^export interface .*/ms],
  ['own operations', 'OwnOperations.mdx', 'test/hooks/ownOperationsRecipe.tsx', /^const toy .*/ms],
  ['toasts', 'Recipes.mdx', 'test/hooks/appRecipes.tsx', /(?<=#region toast\n).*?(?=\n\/\/ #endregion)/s],
  ['data that are near', 'Recipes.mdx', 'test/hooks/appRecipes.tsx', /(?<=#region preload\n).*?(?=\n\/\/ #endregion)/s],
  ['sessions', 'Recipes.mdx', 'test/hooks/appRecipes.tsx', /(?<=#region session\n).*?(?=\n\/\/ #endregion)/s],
  ['optimistic changes', 'hooks/usePetstoreMutation.mdx', 'test/hooks/optimisticRecipe.tsx', /^const toy .*/ms],
])('the recipe for %s is the code that is tested', (_, page, path, pattern) => {
  const [code = path] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  expect(readFileSync(`stories/docs/${page}`, 'utf8')).toContain(`${code.trimEnd()}\n\`\`\``)
})
