/** What the processes of the benchmark are. */
export type Kind = 'service' | 'fetch' | 'node:http' | 'http-proxy' | 'handler' | 'handler, authorize'

/** Where the forwarders and handlers take requests. */
export const basePath = '/api/petstore/v1'
