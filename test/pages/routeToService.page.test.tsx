import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { en } from '../../src/labels/en.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { App, type AppProps } from './App.tsx'
import { routeToService } from './routeToService.ts'
import { servePage } from './servePage.ts'
import { startBrowser } from './startBrowser.ts'

const browser = startBrowser()

const origin = 'https://petstore.example'
const props: AppProps = { baseUrl: `${origin}/v1`, quickstartBaseUrl: `${origin}/quickstart`, fallback: {} }

test('the recipe for Playwright: a page uses the service of the test', async () => {
  const service = createPetstoreService({ categories: [{ name: 'Dög' }] })
  const served = await servePage({
    entry: 'hydrate.tsx',
    html: ({ script }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pets</title></head><body>
<div id="root">${renderToString(<App {...props} />)}</div>
<script type="application/json" id="data">${JSON.stringify(props)}</script>
<script type="module" src="${script}"></script></body></html>`,
  })
  const page = await browser().newPage()
  try {
    await routeToService(page, origin, service)
    await page.goto(served.url)
    const managed = page.getByRole('region', { name: 'Categories' })
    await managed.getByText('Dög').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Füchse')
    await page.keyboard.press('Enter')
    await managed.getByText('Füchse').waitFor()
    expect(service.categories().map(({ name }) => name)).toEqual(['Dög', 'Füchse'])

    service.failNext({ operation: 'createCategory', connection: 'lost-before' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Owl')
    await page.keyboard.press('Enter')
    await page.getByText(en.errorNotice.situations.mayHaveHappened.title, { exact: true }).waitFor()
    // Only the first three requests: the list may be loaded again, to show whether the category was created.
    expect(service.requests.slice(0, 3).map(({ operation, status }) => [operation, status])).toEqual([
      ['listCategories', 200],
      ['createCategory', 201],
      ['createCategory', undefined],
    ])
  } finally {
    await page.close()
    served.close()
  }
})
