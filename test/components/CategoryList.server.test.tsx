// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { expect, test, vi } from 'vitest'
import { CategoryList, type CategoryListProps } from '../../src/index.ts'
import { createPetstoreClient, PetstoreProvider, prefetchQuery, operations } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'

/** The server HTML of a list with that many preloaded categories, or without data. */
async function renderOnServer(props: CategoryListProps, count?: number): Promise<string> {
  const service = createPetstoreService({ categories: count ?? 0 })
  const options = { ...optionsFor(service), apiKey: 'demo', scope: 'page' }
  const fallback =
    count === undefined ? {} : await prefetchQuery(createPetstoreClient(options), operations.listCategories)
  const requests = service.requests.length
  const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const html = renderToString(
    <SWRConfig value={{ fallback }}>
      <PetstoreProvider {...options}>
        <CategoryList {...props} />
      </PetstoreProvider>
    </SWRConfig>,
  )
  for (const spy of logged) expect(spy).not.toHaveBeenCalled()
  expect(service.requests).toHaveLength(requests)
  return html
}

const countOf = (html: string, part: string) => html.split(part).length - 1

test('M6 on a server without data it is loading: no request, no warning, no document', async () => {
  expect(typeof document).toBe('undefined')
  const html = await renderOnServer({})
  expect(html).toContain('Loading categories…')
  expect(html).toContain('aria-busy="true"')
  expect(html).not.toContain('demo')
})

test('M6 with data it is 200 rows, without a style', async () => {
  const actions: CategoryListProps['actions'] = ({ name }) => <button type="button">{name}</button>
  const html = await renderOnServer({ actions, selectionMode: 'multiple', order: 'name' }, 450)
  expect(countOf(html, 'type="checkbox"')).toBe(200)
  expect(html).toContain('450 categories')
  expect(html).not.toContain('style=')
})
