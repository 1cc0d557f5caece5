import { expect, inject, test } from 'vitest'

test('the site has llms.txt, and each page that it lists', async () => {
  const home = inject('playground')
  const contents = await (await fetch(`${home}llms.txt`)).text()
  expect(contents).toMatch(/^# petstore-react\n/)
  const paths = Array.from(contents.matchAll(/\]\(([^)]+)\)/g), ([, path = '']) => path)
  expect(paths).toContain('docs/start.md')
  const responses = await Promise.all(paths.map((path) => fetch(`${home}${path}`)))
  expect(responses.filter(({ ok }) => !ok)).toEqual([])
})
