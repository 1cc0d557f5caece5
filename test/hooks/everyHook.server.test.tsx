// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { PetstoreProvider } from '../../src/index.ts'
import { newAddress } from '../renderOnService.tsx'
import { everyHook } from './everyHook.setup.ts'

describe.each(everyHook)('%s', (name, useHook) => {
  function Component() {
    useHook()
    return <p>rendered</p>
  }

  // Counting seconds needs nothing of a provider.
  test.skipIf(name === 'useSecondsUntil')('throws outside a provider, and the error says what to do', () => {
    expect(() => renderToString(<Component />)).toThrow(
      'No PetstoreProvider found. Wrap your app in <PetstoreProvider>.',
    )
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
