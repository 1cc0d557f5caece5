import type { ReactElement } from 'react'
import { usePetstoreClient } from '../../src/index.ts'

/** Buttons that make calls, which the developer tools then show. */
export function CallButtons(): ReactElement {
  const { createCategory } = usePetstoreClient()
  const create = (priority: 'user' | 'background') => void createCategory({ name: 'Fox' }, { priority }).catch(() => {})
  return (
    <p style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem' }}>
      <button type="button" className="petstore-button" onClick={() => create('user')}>
        Create
      </button>
      <button type="button" className="petstore-button" onClick={() => create('background')}>
        Create in the background
      </button>
    </p>
  )
}
