import { createServer } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'

const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Date, RateLimit, RateLimit-Policy'

/** Allows pages of all origins, and responds to their preflights, which no limit counts. */
export function cors(isReadable: boolean): RequestHandler {
  return (request, response, next) => {
    response.set('Access-Control-Allow-Origin', '*')
    if (isReadable) response.set('Access-Control-Expose-Headers', exposed)
    if (request.method !== 'OPTIONS') return next()
    response.set('Access-Control-Allow-Methods', 'GET, POST')
    response.set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    response.set('Access-Control-Max-Age', '600')
    response.sendStatus(204)
  }
}

/** A list has the newest categories alone, so that it does not grow while pages are watched for what they hold. */
const maxListed = 50

/** Adds what the calls need of the service. Returns a function that counts the categories that were created twice. */
export function addService(app: Express): () => number {
  const names: string[] = []
  app.get('/v1/pets/:petId', ({ params }, response) => void response.json({ id: params.petId }))
  app.get('/v1/categories', (_, response) => {
    const first = Math.max(0, names.length - maxListed)
    response.json(names.slice(first).map((name, index) => ({ id: first + index + 1, name })))
  })
  app.post('/v1/categories', express.json(), ({ body }, response) => {
    const { name } = body as { readonly name: string }
    response.status(201).json({ id: names.push(name), name })
  })
  return () => names.length - new Set(names).size
}

/** Listens on a free port of this machine alone. Returns the origin. */
export async function listen(app: Express): Promise<string> {
  const server = createServer(app)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}
