import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CategoryList, useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

afterEach(cleanup)

const ids = ['9007199254740992', '9007199254740993', '9223372036854775807']
const service = () => createPetstoreService({ categories: ids.map((id) => ({ id, name: `Category ${id}` })) })

test('ids past 2^53 are exact', async () => {
  function Ids() {
    return (
      <p>
        {useCategories()
          .data?.map(({ id }) => id)
          .join(' ')}
      </p>
    )
  }
  renderOnService(<Ids />, { service: service() })
  expect(await screen.findByText(ids.join(' '))).toBeDefined()
})

test('all rows are shown, also two whose ids are equal as numbers, after one request in StrictMode', async () => {
  const view = renderOnService(<CategoryList />, { service: service() })
  await screen.findByText('Category 9007199254740993')
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  expect(view.service.requests).toHaveLength(1)
})
