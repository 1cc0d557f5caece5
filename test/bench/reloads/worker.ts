import { createPetstoreClient } from '../../../src/client.ts'

export interface WorkerCommand {
  readonly isKit: boolean
  readonly baseUrl: string
  readonly key: string
}

/** Loads the categories once. Tells when the request leaves, and when they are there. */
addEventListener('message', async ({ data }: MessageEvent<WorkerCommand>) => {
  const { isKit, baseUrl, key } = data
  const tellingFetch = (input: Request) => {
    postMessage('sent')
    return fetch(input)
  }
  if (isKit) await createPetstoreClient({ baseUrl, apiKey: key, fetch: tellingFetch }).listCategories()
  else {
    const headers = { Authorization: `Bearer ${key}` }
    await (await tellingFetch(new Request(`${baseUrl}/categories`, { headers }))).json()
  }
  postMessage('done')
})
