// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import * as petstore from '../../src/index.ts'
import { newAddress } from '../renderOnService.tsx'

const { PetstoreProvider, defineOperation, useOrders, usePet, usePetstoreMutation, usePetstoreQuery } = petstore

const schema = z.unknown()
const pause = defineOperation({ name: 'pause', path: '/pause', output: schema })

/** The hooks that need arguments. Every other exported hook is called without any. */
const withArguments: Readonly<Record<string, () => unknown>> = {
  useOrders: () => useOrders({ schema }),
  usePet: () => usePet('7', { schema }),
  usePetstoreMutation: () => usePetstoreMutation(pause),
  usePetstoreQuery: () => usePetstoreQuery(pause),
}

const hooks = Object.entries(petstore).flatMap(([name, value]) =>
  name.startsWith('use') ? [[name, withArguments[name] ?? (value as () => unknown)] as const] : [],
)

describe.each(hooks)('%s', (name, useHook) => {
  function Component() {
    useHook()
    return <p>rendered</p>
  }

  test('outside a provider throws an error that names it', () => {
    expect(() => renderToString(<Component />)).toThrow(`${name} needs a <PetstoreProvider> around it.`)
  })

  test('sends nothing during a server render and does not read the key', () => {
    const fetch = vi.fn<() => Promise<Response>>()
    const apiKey = vi.fn<() => string>(() => 'secret')
    const page = (
      <PetstoreProvider baseUrl={newAddress()} apiKey={apiKey} fetch={fetch}>
        <Component />
      </PetstoreProvider>
    )
    expect(renderToString(page)).toBe('<p>rendered</p>')
    expect(fetch).not.toHaveBeenCalled()
    expect(apiKey).not.toHaveBeenCalled()
  })
})
