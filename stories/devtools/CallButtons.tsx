import type { ReactElement } from 'react'
import { useCategories, usePetstoreClient } from '../../src/index.ts'

/** Buttons that make calls, for the tools to show. */
export function CallButtons(): ReactElement {
  const { createCategory } = usePetstoreClient()
  const create = (priority: 'user' | 'background') => void createCategory({ name: 'Fox' }, { priority }).catch(() => {})
  return (
    <p>
      <button type="button" className="petstore-button" onClick={() => create('user')}>
        Create
      </button>{' '}
      <button type="button" className="petstore-button" onClick={() => create('background')}>
        Create in the background
      </button>
    </p>
  )
}

/** A hook whose data the cache shows. */
export function CategoryCount(): ReactElement {
  const { data } = useCategories()
  return <p>{data ? `${data.length} categories` : 'Loading…'}</p>
}
