import { createForwarder } from '../../createForwarder.ts'
import { service } from '../../service.ts'

let forward: ReturnType<typeof createForwarder> | undefined

/** One forwarder for the whole server, so that its gate sees what all pages send together. */
function handle(request: Request): Promise<Response> {
  forward ??= createForwarder(service())
  return forward(request)
}

export { handle as GET, handle as POST }
