/** Sends one request to a mounted handler. */
export type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>

const list = '/api/petstore/v1/categories'
const json = { 'Content-Type': 'application/json' }
const ann = { Cookie: 'session=ann', 'Sec-Fetch-Site': 'same-origin' }

/** Requests of visitors, one after the other, and their responses: the same wherever the handler is mounted. */
export const handlerScript = {
  steps: async (send: Send): Promise<readonly string[]> => {
    const results: string[] = []
    let etag = ''
    async function step(method: string, path: string, headers: Record<string, string>, body?: string): Promise<void> {
      const response = await send(path, { method, headers, ...(body !== undefined && { body }) })
      etag = response.headers.get('ETag') ?? etag
      results.push(`${response.status} ${await response.text()}`.trim())
    }

    await step('GET', list, ann)
    await step('GET', list, { ...ann, 'If-None-Match': etag })
    await step('GET', list, { 'Sec-Fetch-Site': 'same-origin' })
    await step('POST', list, { ...ann, ...json }, '{"name":"Cät","admin":true}')
    await step('GET', list, ann)
    await step('POST', '/api/petstore/quickstart/messages', { ...ann, ...json }, '{}')
    await step('POST', list, { ...ann, ...json, 'Sec-Fetch-Site': 'cross-site' }, '{"name":"Dog"}')
    await step('POST', list, { ...ann, 'Content-Type': 'text/plain' }, '{"name":"Dog"}')
    await step('POST', list, { ...ann, ...json }, `"${'x'.repeat(100_000)}"`)
    await step('DELETE', list, ann)
    await step('GET', '/api/petstore/v1/pets/7', ann)
    await step('OPTIONS', list, { Origin: 'https://partner.test', 'Access-Control-Request-Method': 'POST' })
    return results
  },

  expected: [
    '200 [{"id":9007199254740993,"name":"Dög"}]',
    '304',
    '401 {"code":"signed-out","message":"Sign in first.","status":401}',
    '201 {"id":9223372036854775807,"name":"Cät"}',
    '200 [{"id":9007199254740993,"name":"Dög"},{"id":9223372036854775807,"name":"Cät"}]',
    '400 {"code":"input-validation","message":"sendMessage: The input is not valid: message: expected a string","status":400}',
    '403 {"code":"cross-site","message":"Only pages of this site can use this address.","status":403}',
    '415 {"code":"not-json","message":"Send the body with the Content-Type application/json.","status":415}',
    '413 {"code":"too-large","message":"The request body is too large.","status":413}',
    '405 {"code":"method-not-allowed","message":"This address takes GET, POST.","status":405}',
    '404 {"code":"not-found","message":"This address does not exist.","status":404}',
    '204',
  ],
}
