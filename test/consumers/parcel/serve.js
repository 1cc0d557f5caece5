import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const port = Number(process.argv[process.argv.indexOf('--port') + 1])

createServer(async ({ url = '/' }, response) => {
  const file = url === '/' ? 'index.html' : url
  try {
    const body = await readFile(join('dist', file))
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}).listen(port, '127.0.0.1')
