// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { CategoryForm, PetstoreProvider } from '../../src/index.ts'

test('F1 L2 on a server it is the whole form: no request, no warning, no style attribute, no key', () => {
  expect(typeof document).toBe('undefined')
  const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const fetch = vi.fn<() => Promise<Response>>()
  const html = renderToString(
    <PetstoreProvider baseUrl="https://pets.test/v1" apiKey="secret-of-a-person" fetch={fetch}>
      <CategoryForm defaultValues={{ name: 'Cat' }} />
    </PetstoreProvider>,
  )
  expect(html).toMatch(/^<form .*<label .*value="Cat".*<label .*<button type="submit"/)
  expect(html).not.toMatch(/style|secret/)
  expect(fetch).not.toHaveBeenCalled()
  for (const spy of logged) expect(spy).not.toHaveBeenCalled()
})
