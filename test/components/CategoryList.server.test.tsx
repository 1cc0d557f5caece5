// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { CategoryList, PetstoreProvider } from '../../src/index.ts'

test('on a server it is loading: no request, no warning, no document', () => {
  expect(typeof document).toBe('undefined')
  const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const fetch = vi.fn<() => Promise<Response>>()
  const html = renderToString(
    <PetstoreProvider baseUrl="https://pets.test/v1" apiKey="secret-of-a-person" fetch={fetch}>
      <CategoryList />
    </PetstoreProvider>,
  )
  expect(html).toContain('Loading categories…')
  expect(html).toContain('aria-busy="true"')
  expect(html).not.toContain('secret')
  expect(fetch).not.toHaveBeenCalled()
  for (const spy of logged) expect(spy).not.toHaveBeenCalled()
})
