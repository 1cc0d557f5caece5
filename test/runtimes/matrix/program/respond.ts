import type { HandlerContext } from '../../../../src/server.ts'
import { handlers } from './clients.ts'
import { steps } from './steps.ts'

/** Responds to `/steps/<name>` with the result of that step as JSON, and to everything else as the handler mounted there. */
export async function respond(request: Request, context?: HandlerContext): Promise<Response> {
  const address = new URL(request.url)
  const [, first = '', name = ''] = address.pathname.split('/')
  const step = steps[name]
  if (first !== 'steps' || !step) {
    return handlers[first]?.(request, context) ?? new Response('Nothing is mounted here.', { status: 404 })
  }
  try {
    return Response.json(await step(address))
  } catch (error) {
    return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), { status: 500 })
  }
}

export const isEnd = (request: Request): boolean => new URL(request.url).pathname === '/end'
