import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { type ActionFunctionArgs, createRequestHandler, type LoaderFunctionArgs, type ServerBuild } from 'react-router'
import { handler, port } from './handler.js'

/** The resource route `api/petstore/*` of an app in framework mode. */
const resourceRoute = {
  // A resource route has no component, although its type asks for one.
  default: undefined as never,
  loader: ({ request }: LoaderFunctionArgs) => handler(request),
  action: ({ request }: ActionFunctionArgs) => handler(request),
}

/** What the bundler of an app makes of its routes. */
const build: ServerBuild = {
  entry: { module: { default: () => new Response('This app has no pages.', { status: 500 }) } },
  routes: {
    petstore: { id: 'petstore', path: 'api/petstore/*', module: resourceRoute },
  },
  assets: {
    entry: { imports: [], module: '' },
    routes: {},
    url: '',
    version: '',
  },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {} as ServerBuild['future'],
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
}

const handle = createRequestHandler(build, 'production')

createServer(async (message, reply) => {
  const { method = 'GET', url, headers } = message
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody && { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' as const }),
  })
  const response = await handle(request)
  reply.writeHead(response.status, Object.fromEntries(response.headers))
  reply.end(new Uint8Array(await response.arrayBuffer()))
}).listen(port, '127.0.0.1')
