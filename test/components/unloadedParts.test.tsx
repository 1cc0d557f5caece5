import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { announce } from '../../src/components/announce.ts'
import { CategoryForm } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'
import { recordAnnouncements } from './announcements.ts'
import { refusedAs, submitButton, type, typed } from './CategoryForm.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

/*
 * Pages that have lost their connection load no late files.
 */
vi.mock('../../src/components/CategoryForm/ProblemSummary.tsx', () => {
  throw new Error('The file is gone.')
})
vi.mock('../../src/components/liveRegion.ts', () => {
  throw new Error('The file is gone.')
})

cleanPage()

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
