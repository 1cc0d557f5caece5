import { createPetstoreClient, isPetstoreError, type PetstoreClientOptions } from '../../src/client.ts'

// The script of a dedicated, shared or service worker. Its first message has the options of the client and a port: each
// message to the port lists the categories.
function start({ data, ports: [port] }: MessageEvent<PetstoreClientOptions>): void {
  const client = createPetstoreClient(data)
  if (!port) throw new TypeError('The first message has no port.')
  port.addEventListener('message', async () => {
    const result = await client.listCategories().then(
      ({ length }) => length,
      (reason: unknown) => (isPetstoreError(reason) ? reason.kind : String(reason)),
    )
    port.postMessage(result)
  })
  port.start()
  port.postMessage('ready')
}

addEventListener('message', start)
addEventListener('connect', (event) => {
  const [port] = event instanceof MessageEvent ? event.ports : []
  port?.addEventListener('message', start)
  port?.start()
})
