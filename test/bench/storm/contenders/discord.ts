import { REST, type ResponseLike } from '@discordjs/rest'
import type { Contender } from '../Contender.ts'

/**
 * Translates the service's headers to Discord's names. All routes share one bucket, whose reset is given in seconds from
 * now. The service's own clock (`Date`) is used, as Discord does.
 */
async function translate(response: Response): Promise<ResponseLike> {
  const headers = new Headers(response.headers)
  headers.set('X-RateLimit-Bucket', 'key')
  const reset = headers.get('X-RateLimit-Reset')
  const date = headers.get('Date')
  if (reset !== null) {
    const now = date === null ? Date.now() : Date.parse(date)
    headers.set('X-RateLimit-Reset-After', String(Math.max(0, Number(reset) - now / 1000)))
  }
  // Its type names the streams of another library; those of the platform work as well.
  return new Response(response.body, { status: response.status, headers }) as ResponseLike
}

export const discord: Contender = {
  name: '@discordjs/rest',
  settings: 'defaults; the service’s headers translated to Discord’s names, one bucket for all routes',
  start:
    () =>
    ({ baseUrl, apiKey, fetch }) => {
      const { origin } = new URL(baseUrl)
      const makeRequest = async (url: string, init: object) => translate(await fetch(url, init))
      const client = new REST({ api: origin, version: '1', authPrefix: 'Bearer', makeRequest }).setToken(apiKey)
      return {
        get: (id) => client.get(`/pets/${id}`),
        post: (name) => client.post('/categories', { body: { name } }),
        close: () => {
          client.clearHandlerSweeper()
          client.clearHashSweeper()
        },
      }
    },
}
