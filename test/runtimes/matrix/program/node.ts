import { createServer } from 'node:http'
import { toNodeHandler } from '../../../../src/server.ts'
import { isEnd, respond } from './respond.ts'

const server = createServer(
  toNodeHandler(async (request) => {
    if (!isEnd(request)) return respond(request)
    // Nothing else is closed: the process is to end by itself.
    server.close()
    return new Response()
  }),
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})
