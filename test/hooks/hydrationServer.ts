import { renderToString } from 'react-dom/server'
import { address, createService, type Prepared, type SceneName, sceneNames, scenes } from './hydration.setup.tsx'

/** The server's response for one scene. */
export interface Page {
  readonly html: string
  readonly prepared: Prepared
  /** How many requests the server sent. */
  readonly requests: number
}

export type Pages = Readonly<Record<SceneName, Page>>

async function renderPage(name: SceneName): Promise<readonly [SceneName, Page]> {
  const { prepare, app } = scenes[name]
  const service = createService()
  const options = { baseUrl: address, apiKey: 'demo', fetch: service.fetch, scope: name }
  const prepared = await prepare(options)
  const html = renderToString(app(options, prepared))
  return [name, { html, prepared, requests: service.requests.length }]
}

process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(sceneNames.map(renderPage)))))
