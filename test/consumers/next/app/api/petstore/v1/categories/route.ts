import { service } from '../../../../service.ts'

const passedOn = [
  'Content-Type',
  'Date',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** Forwards to the service, and adds the key. */
async function forward(request: Request): Promise<Response> {
  const { baseUrl, apiKey } = service()
  const { method } = request
  const { status, headers, body } = await fetch(`${baseUrl}/categories`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: method === 'GET' ? null : await request.text(),
    cache: 'no-store',
  })
  const answered = new Headers()
  for (const name of passedOn) {
    const value = headers.get(name)
    if (value !== null) answered.set(name, value)
  }
  return new Response(body, { status, headers: answered })
}

export { forward as GET, forward as POST }
