/** The key under which WebDriver passes an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

export type ElementReference = Readonly<Record<typeof elementKey, string>>

type Action = object

/** A session of a browser that is controlled by classic WebDriver: https://www.w3.org/TR/webdriver2. */
export interface WebDriver {
  readonly version: string
  /** Sends a command of the session. */
  readonly send: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>
  /** Runs a function in the page. Resolves with its result, which must be JSON. */
  readonly execute: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Awaited<Result>>
  readonly find: (selector: string) => Promise<ElementReference>
  readonly press: (keys: readonly Action[]) => Promise<void>
  readonly point: (actions: readonly Action[]) => Promise<void>
  readonly close: () => Promise<void>
}

export async function createWebDriver(address: string, capabilities: object): Promise<WebDriver> {
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(address + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  const { sessionId, capabilities: given } = (await request('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  })) as { sessionId: string; capabilities: { browserVersion: string } }
  const send: WebDriver['send'] = (method, path, body) => request(method, `/session/${sessionId}${path}`, body)
  const perform = async (source: object) => void (await send('POST', '/actions', { actions: [source] }))

  return {
    version: given.browserVersion,
    send,
    // An asynchronous script, because the driver does not wait for a promise that a plain script returns.
    execute: async (run, ...args) => {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve().then(() => (${String(run)})(...arguments[0])).then(
          (value) => done({ value }), (error) => done({ error: String(error) + '\\n' + (error && error.stack) }))`
      const result = await send('POST', '/execute/async', { script, args: [args] })
      const { value, error } = result as { value: never; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    },
    find: async (selector) =>
      (await send('POST', '/element', { using: 'css selector', value: selector })) as ElementReference,
    press: (actions) => perform({ type: 'key', id: 'keyboard', actions }),
    point: (actions) => perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }),
    close: async () => void (await send('DELETE', '')),
  }
}
