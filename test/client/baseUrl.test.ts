import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPetstoreClient, type PetstoreClientOptions } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createQuickClient, failureOf, json, noResponse, watchRequests } from './client.setup.ts'

afterEach(() => vi.unstubAllGlobals())

const queued = { id: 'm-1', message: 'Hello', status: 'queued', createdAt: '2026-01-01T00:00:00Z' }

/** The addresses of the two requests of a client with these options. */
async function addressesOf(options: Partial<PetstoreClientOptions>) {
  const { sent, fetch } = watchRequests(async ({ method }) => json(method === 'GET' ? [] : queued))
  const client = createQuickClient(fetch, { retry: { maxWait: 1_000 }, ...options })
  await client.listCategories()
  await client.sendMessage({ message: 'Hello' })
  return sent.map(({ url }) => url)
}

describe('baseUrl', () => {
  test.each([
    ['https://petstore.test/v1', 'https://petstore.test/v1/categories'],
    ['https://petstore.test/v1/', 'https://petstore.test/v1/categories'],
    ['https://petstore.test/v1///', 'https://petstore.test/v1/categories'],
    ['http://localhost:4010/v1', 'http://localhost:4010/v1/categories'],
    ['http://[::1]:4010/v1', 'http://[::1]:4010/v1/categories'],
    ['https://petstore.test:443/v1', 'https://petstore.test/v1/categories'],
    ['HTTPS://PetStore.test/v1', 'https://petstore.test/v1/categories'],
    ['https://petstore.test/staging/petstore/v1', 'https://petstore.test/staging/petstore/v1/categories'],
    ['https://petstore.test/a/../v1', 'https://petstore.test/v1/categories'],
    ['https://bücher.test/größe/v1', 'https://xn--bcher-kva.test/gr%C3%B6%C3%9Fe/v1/categories'],
    // A line from a file ends with white space that is not part of the address.
    [' https://petstore.test/v1\n', 'https://petstore.test/v1/categories'],
    // A URL parser reads backslashes as slashes. None of these leads to another host.
    ['https:\\\\petstore.test\\v1', 'https://petstore.test/v1/categories'],
    ['https://petstore.test\\@evil.test/v1', 'https://petstore.test/@evil.test/v1/categories'],
  ])('accepts %j', async (baseUrl, url) => {
    expect(await addressesOf({ baseUrl })).toEqual([url, 'https://quickstart.test/messages'])
  })

  test('accepts "https://bücher.test/v1" however many clients were made: `URL.canParse` of Node 20 would not', () => {
    const create = () => createPetstoreClient({ fetch: noResponse, baseUrl: 'https://bücher.test/v1' }).close()
    expect(() => Array.from({ length: 20_000 }, create)).not.toThrow()
  })

  test.each([
    ['/v1', 'https://app.test/v1/categories'],
    ['/v1/', 'https://app.test/v1/categories'],
    ['/api/petstore/v1', 'https://app.test/api/petstore/v1/categories'],
    ['/größe/v1', 'https://app.test/gr%C3%B6%C3%9Fe/v1/categories'],
    ['/api/../v1', 'https://app.test/v1/categories'],
  ])('accepts %j, relative to the origin of the page', async (baseUrl, url) => {
    vi.stubGlobal('location', { origin: 'https://app.test' })
    expect(await addressesOf({ baseUrl })).toEqual([url, 'https://quickstart.test/messages'])
  })

  test('that is root-relative, in a `srcdoc` page, is on the origin of the page around it', async () => {
    vi.stubGlobal('location', { origin: 'null', href: 'about:srcdoc' })
    vi.stubGlobal('document', { baseURI: 'https://evil.test/' })
    vi.stubGlobal('origin', 'https://app.test')
    expect((await addressesOf({ baseUrl: '/v1' }))[0]).toBe('https://app.test/v1/categories')
  })

  test.each(['about:srcdoc', 'data:text/html,'])('of "/v1" fails in a page without an origin: %s', async (href) => {
    vi.stubGlobal('location', { origin: 'null', href })
    vi.stubGlobal('document', { baseURI: 'https://app.test/page' })
    vi.stubGlobal('origin', 'null')
    await expect(addressesOf({ baseUrl: '/v1' })).rejects.toThrow('which needs a page with an address')
  })

  test('that is root-relative ignores the `<base>` of the page, so that no other origin gets the key', async () => {
    vi.stubGlobal('location', { origin: 'https://app.test' })
    vi.stubGlobal('document', { baseURI: 'https://evil.test/' })
    expect((await addressesOf({ baseUrl: '/v1' }))[0]).toBe('https://app.test/v1/categories')
  })

  const neither = 'is neither an absolute nor a root-relative address'
  const notHttp = 'is not an http or https address'
  const credentials = 'holds credentials: the API key goes into apiKey, which sends it in a header'
  const query = 'holds a query or a fragment'
  const ending = 'does not end with "/v1"'

  test.each([
    ['', neither],
    [' ', neither],
    ['v1', neither],
    ['petstore.test/v1', neither],
    ['./v1', neither],
    ['../v1', neither],
    ['?/v1', neither],
    ['https://', neither],
    ['https:///', neither],
    ['https://pet store.test/v1', neither],
    ['https://petstore.test:99999/v1', neither],
    ['https://[::1/v1', neither],
    ['//evil.test/v1', neither],
    ['///evil.test/v1', neither],
    ['/\\evil.test/v1', neither],
    ['\\\\evil.test\\v1', neither],
    ['\\v1', neither],
    ['/\t/evil.test/v1', neither],
    ['/\n/evil.test/v1', neither],
    // The client resolves root-relative addresses at this host, to check them.
    ['//root-relative.invalid/v1', neither],
    // A page would resolve these to another host.
    ['/..//evil.test/v1', neither],
    ['/.//evil.test/v1', neither],
    ['/a/..//evil.test/v1', neither],
    ['/a/..\\/evil.test/v1', neither],
    ['/%2e//evil.test/v1', neither],
    ['ftp://petstore.test/v1', notHttp],
    ['file:///v1', notHttp],
    ['ws://petstore.test/v1', notHttp],
    ['javascript:alert(1)//v1', notHttp],
    ['data:text/plain,/v1', notHttp],
    ['localhost:4010/v1', notHttp],
    ['https://user:s3cret@petstore.test/v1', credentials],
    ['https://s3cret@petstore.test/v1', credentials],
    ['https://:s3cret@petstore.test/v1', credentials],
    ['https://petstore.test/v1?key=s3cret', query],
    ['https://petstore.test/v1?', query],
    ['https://petstore.test/?/v1', query],
    ['https://petstore.test/v1#s3cret', query],
    ['https://petstore.test/#/v1', query],
    ['/v1?key=s3cret', query],
    ['/v1#', query],
    ['https://petstore.test', ending],
    ['https://petstore.test/', ending],
    ['https://petstore.test/v2', ending],
    ['https://petstore.test/V1', ending],
    ['https://petstore.test/apiv1', ending],
    ['https://petstore.test/v1/categories', ending],
    ['https://v1', ending],
    ['/', ending],
    ['/v1/..', ending],
    ['/api', ending],
  ])('rejects %j and says what to write instead', (baseUrl, problem) => {
    const create = () => createPetstoreClient({ baseUrl })
    const instead = 'Write "https://host/v1" or, for the handler on your own server, "/path/v1".'
    expect(create).toThrow(new TypeError(`baseUrl ${problem}. ${instead}`))
    expect(create).not.toThrow(/s3cret/)
  })

  test.each([undefined, null, 7, new URL('https://petstore.test/v1'), {}])(
    'rejects %o, which is not text',
    (baseUrl) => {
      const untyped: object = { baseUrl }
      const create = () => createPetstoreClient({ baseUrl: '/v1', ...untyped })
      expect(create).toThrow(TypeError)
      expect(create).toThrow(/^baseUrl is .*Write "https:\/\/host\/v1"/)
    },
  )

  test('that is root-relative fails at the first call on a server, and says what to do', async () => {
    const { sent, fetch } = watchRequests(async () => json([]))
    const error = await failureOf(createQuickClient(fetch, { baseUrl: '/petstore/v1' }).listCategories())
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(
      /root-relative, which needs a page with an address\. Elsewhere, as on a server, give the absolute address\.$/,
    )
    expect(sent).toEqual([])
  })
})

describe('quickstartBaseUrl', () => {
  test.each([
    ['https://quickstart.test', 'https://quickstart.test/messages'],
    ['https://quickstart.test/', 'https://quickstart.test/messages'],
    ['https://quickstart.test/a/b', 'https://quickstart.test/a/b/messages'],
    ['https://quickstart.test/v1', 'https://quickstart.test/v1/messages'],
    ['/quickstart', 'https://app.test/quickstart/messages'],
    ['/', 'https://app.test/messages'],
  ])('accepts %j, which need not end with /v1', async (quickstartBaseUrl, url) => {
    vi.stubGlobal('location', { origin: 'https://app.test' })
    expect(await addressesOf({ quickstartBaseUrl })).toEqual(['https://petstore.test/v1/categories', url])
  })

  test.each([
    '',
    'quickstart.test',
    '//evil.test',
    '/.//evil.test',
    'ftp://quickstart.test',
    'https://s3cret@quickstart.test',
    '/?s3cret',
  ])('rejects %j with an error that names the option', (quickstartBaseUrl) => {
    const create = () => createPetstoreClient({ baseUrl: '/v1', quickstartBaseUrl })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(
      /^quickstartBaseUrl .*\. Write "https:\/\/host" or, for the handler on your own server, "\/path"\.$/,
    )
    expect(create).not.toThrow(/s3cret/)
  })

  test('is required by the quickstart request only', async () => {
    const { sent, fetch } = watchRequests(async () => json([]))
    const client = createPetstoreClient({
      baseUrl: 'https://petstore.test/v1',
      fetch,
      rateLimitStore: createMemoryStore(),
    })
    expect(await client.listCategories()).toEqual([])
    const error = await failureOf(client.sendMessage({ message: 'Hello' }))
    expect(error).toEqual(new TypeError('sendMessage goes to the quickstart address: set quickstartBaseUrl.'))
    expect(sent.map(({ url }) => url)).toEqual(['https://petstore.test/v1/categories'])
  })
})
