import { createPetstoreClient, isPetstoreError, type PetstoreClientOptions } from '../../src/client.ts'

// The script of a dedicated, shared or service worker. It creates a client with the options of the first message, and
// lists the categories for each message to the port that came with it.
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
