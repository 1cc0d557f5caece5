import { act, cleanup, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { SWRConfig, unstable_serialize } from 'swr'
import { afterEach, expect, test, vi } from 'vitest'
import { operations, PetstoreProvider, useCategories, usePetstoreClient } from '../../src/index.ts'
import { queryOf } from '../../src/hooks/queries.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { settled } from './renderHookOnService.tsx'

afterEach(cleanup)

test('data that come between the render of a component and its effects are not loaded again', async () => {
  const service = createPetstoreService()
  const onSuccess = vi.fn<() => void>()
  const cache = new Map<string, { data: unknown }>()
  /** Its effect runs before those of the list, as that of a response to another part of a page that hydrates. */
  function Arrival() {
    const { scope } = usePetstoreClient()
    useLayoutEffect(() => {
      const key = unstable_serialize(['petstore', scope, operations.listCategories.name, null])
      const data = [{ id: '1', name: 'Early' }]
      cache.set(key, { data })
      queryOf(cache, key).receive(data, Date.now(), false)
    }, [scope])
    return null
  }
  function Names() {
    const { data, refresh } = useCategories({ onSuccess })
    return (
      <button type="button" onClick={refresh}>
        {data?.map(({ name }) => name).join() ?? 'nothing yet'}
      </button>
    )
  }
  render(
    <SWRConfig value={{ provider: () => cache }}>
      <PetstoreProvider {...optionsFor(service)}>
        <Arrival />
        <Names />
      </PetstoreProvider>
    </SWRConfig>,
  )
  await screen.findByText('Early')
  await settled()
  expect(service.requests).toEqual([])
  expect(onSuccess).not.toHaveBeenCalled()
  await act(async () => screen.getByRole('button').click())
  await settled()
  expect(service.requests).toHaveLength(1)
})
