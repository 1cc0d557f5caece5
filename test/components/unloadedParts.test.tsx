import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { announce } from '../../src/components/announce.ts'
import { CategoryForm } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'
import { recordAnnouncements } from './announcements.ts'
import { createdLine, refusedAs, submitButton, type, typed } from './CategoryForm.setup.tsx'
import { filterBox, names, renderList } from './CategoryList.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

/*
 * Pages that have lost their connection load no late files.
 */
vi.mock('../../src/components/CategoryList/filterCategories.ts', () => {
  throw new Error('The file is gone.')
})
vi.mock('../../src/components/CategoryForm/ProblemSummary.tsx', () => {
  throw new Error('The file is gone.')
})
vi.mock('../../src/components/CategoryList/RevealCreatedRow.ts', () => {
  throw new Error('The file is gone.')
})
vi.mock('../../src/components/liveRegion.ts', () => {
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

test('without what says which fields were refused, a notice says that, in the words of the service, and announces it', async () => {
  const announcements = recordAnnouncements()
  const service = createPetstoreService()
  service.failNext(refusedAs('name_taken', 'The name is taken.'))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  const notice = await screen.findByRole('group', { name: "Something you entered can't be used" })
  expect(notice.textContent).toContain('The name is taken.')
  await waitFor(() => expect(announcements.join()).toContain("Something you entered can't be used. The name is taken."))
  expect(typed()).toEqual(['Rabbit', ''])
})

test('without the live region, every message is spoken, in an open dialog inside it', async () => {
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  const spoken = (root: ParentNode) => [...root.querySelectorAll('[role="status"]')].map((one) => one.textContent)
  announce('Saved.', null)
  announce('Loaded.', null)
  announce('Created.', dialog)
  await waitFor(() => expect(spoken(dialog)).toEqual(['Created. ']))
  expect(spoken(document)).toEqual(['Created. ', 'Saved. Loaded. '])
})

test('without what highlights it, a created category joins the rows', async () => {
  renderList({}, { service: pets, beside: <CategoryForm /> })
  await screen.findByText('Dog')
  await type('Rabbit')
  await user.click(submitButton())
  await createdLine('Rabbit')
  await waitFor(() => expect(names()).toEqual(['Dog', 'Élan', 'Guinea pig', 'Rabbit']))
  expect(document.querySelector('[data-new]')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Show' })).toBeNull()
})
