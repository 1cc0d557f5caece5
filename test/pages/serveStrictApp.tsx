import { renderToString } from 'react-dom/server'
import { createPetstoreClient, operations, prefetchQuery } from '../../src/client.ts'
import type { PetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { App, type AppProps } from './App.tsx'
import { type PageOptions, servePage } from './servePage.ts'

interface StrictAppOptions extends Pick<PageOptions, 'entry'> {
  /** Default: the package's styles. */
  readonly styles?: string
  /** HTML behind the app. */
  readonly moreHtml?: string
}

/** Serves the app's HTML with data from the service, under a strict policy with Trusted Types. */
export async function serveStrictApp(service: PetstoreService, { moreHtml = '', ...page }: StrictAppOptions) {
  const server = await listen(service)
  const { baseUrl, quickstartBaseUrl, origin } = server
  const client = createPetstoreClient({ baseUrl, quickstartBaseUrl, apiKey: 'demo', scope: 'page' })
  const fallback = await prefetchQuery(client, operations.listCategories)
  const props: AppProps = { baseUrl, quickstartBaseUrl, fallback }
  const policy = [
    "default-src 'self'",
    "style-src 'self'",
    "script-src 'self'",
    `connect-src 'self' ${origin}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
  const served = await servePage({
    ...page,
    headers: { 'Content-Security-Policy': policy },
    html: ({ script, styles }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pets</title><link rel="stylesheet" href="${styles}">
<link rel="icon" href="${styles}"></head><body><div id="root">${renderToString(<App {...props} />)}${moreHtml}</div>
<script type="application/json" id="data">${JSON.stringify(props)}</script>
<script type="module" src="${script}"></script></body></html>`,
  })
  return {
    url: served.url,
    close: async () => {
      served.close()
      await server.close()
    },
  }
}
