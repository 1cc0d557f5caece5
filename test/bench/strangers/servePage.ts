import { createServer } from 'node:http'
import { build } from 'esbuild'

/** Serves the page of all tabs, on another origin than the servers. */
export async function servePage(entryPoint: string): Promise<{ readonly origin: string; readonly close: () => void }> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    jsx: 'automatic',
    bundle: true,
    format: 'iife',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = outputFiles.map(({ text }) => text).join('')
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', url === '/page.js' ? 'text/javascript' : 'text/html')
    response.end(
      url === '/page.js'
        ? script
        : '<!doctype html><title>Tab</title><link rel="icon" href="data:,"><main></main><script src="/page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}
