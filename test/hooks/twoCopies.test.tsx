import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type * as petstore from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { settled } from './renderHookOnService.tsx'

type Package = typeof petstore

/** Two copies of the package: for example, an app and one of its dependencies each install one. */
let copies: readonly [Package, Package]

beforeAll(async () => {
  const first = await import('../../src/index.ts')
  vi.resetModules()
  copies = [first, await import('../../src/index.ts')]
})
afterEach(cleanup)

type Creation = ReturnType<Package['useCreateCategory']>
interface PartProps {
  readonly name: string
  readonly onRender?: (creation: Creation) => void
}

/** A list with `useCreateCategory`, from one copy. */
function partOf({ useCategories, useCreateCategory }: Package) {
  return function Part({ name, onRender }: PartProps) {
    const { data, error } = useCategories()
    const creation = useCreateCategory()
    onRender?.(creation)
    return (
      <p aria-label={name}>
        {creation.status} {error ? error.kind : data?.map((category) => category.name).join()}
      </p>
    )
  }
}
const shown = (name: string) => screen.getByLabelText(name).textContent

test('the hooks of one copy do not find the provider of the other', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [{ PetstoreProvider }, other] = copies
  const Part = partOf(other)
  expect(() =>
    render(
      <PetstoreProvider baseUrl={newAddress()}>
        <Part name="part" />
      </PetstoreProvider>,
    ),
  ).toThrow('Wrap your app in <PetstoreProvider>.')
  logged.mockRestore()
})

test('the copies share the gate: after a 429 to one, the other sends nothing', async () => {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const baseUrl = newAddress()
  const creations: Creation[] = []
  const parts = copies.map((copy) => ({ Provider: copy.PetstoreProvider, Part: partOf(copy) }))
  render(
    <OwnCache>
      {parts.map(({ Provider, Part }, index) => (
        <Provider key={index} baseUrl={baseUrl} apiKey="demo" fetch={service.fetch}>
          <Part
            name={`copy ${index}`}
            onRender={(creation) => {
              creations[index] = creation
            }}
          />
        </Provider>
      ))}
    </OwnCache>,
  )
  await waitFor(() => expect([shown('copy 0'), shown('copy 1')]).toEqual(['idle Dog', 'idle Dog']))
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  const results = [creations[0]?.trigger({ name: 'Cat' })]
  await waitFor(() => expect(shown('copy 0')).toBe('waiting Dog'))
  results.push(creations[1]?.trigger({ name: 'Rabbit' }))
  await waitFor(() => expect(shown('copy 1')).toBe('waiting Dog'))
  await settled()
  expect(service.requests.map(({ status }) => status)).toEqual([200, 200, 429])
  for (const { cancel } of creations) cancel()
  for (const result of results) await expect(result).resolves.toMatchObject({ error: { name: 'AbortError' } })
})
