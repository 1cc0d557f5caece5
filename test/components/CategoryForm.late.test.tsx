import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CategoryForm } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'
import { refusedAs, submitButton, type, typed } from './CategoryForm.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

const file = vi.hoisted(() => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  return { arrived, arrive: () => arrive() }
})

vi.mock('../../src/components/CategoryForm/ProblemSummary.tsx', async (importOriginal) => {
  await file.arrived
  return importOriginal()
})

cleanPage()

test('E3 a summary that is loaded after the refusal takes the place of the notice, and the focus', async () => {
  const service = createPetstoreService()
  service.failNext(refusedAs('bad_request', 'The body is not JSON.'))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  await screen.findByRole('group', { name: "Something you entered can't be used" })
  file.arrive()
  const summary = await screen.findByRole('group', { name: 'Check these fields' })
  await waitFor(() => expect(document.activeElement).toBe(summary))
  expect(screen.queryByRole('group', { name: "Something you entered can't be used" })).toBeNull()
  expect(typed()).toEqual(['Rabbit', ''])
})
