import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { filterBox, names, renderList } from './CategoryList.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

/*
 * Pages that have lost their connection load no late files.
 */
vi.mock('../../src/components/CategoryList/filterCategories.ts', () => {
  throw new Error('The file is gone.')
})

cleanPage()

const pets = { categories: [{ name: 'Dog', description: 'Loyal' }, { name: 'Élan' }, { name: 'Guinea pig' }] }

test('without its index, the filter still ignores case, and looks into descriptions', async () => {
  renderList({}, { service: pets })
  await screen.findByText('Dog')
  await user.click(filterBox())
  const matching = (text: string) => {
    fireEvent.change(filterBox(), { target: { value: text } })
    return names()
  }
  expect(matching('PIG')).toEqual(['Guinea pig'])
  expect(matching('loyal')).toEqual(['Dog'])
  expect(matching('élan')).toEqual(['Élan'])
  expect(matching('')).toHaveLength(3)
  expect(screen.getByText('3 categories')).toBeTruthy()
})
