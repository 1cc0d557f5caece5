import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { CategoryForm, CategoryList, NetworkError } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import {
  created,
  createdLine,
  descriptionField,
  form,
  nameField,
  pendingButton,
  renderForm,
  refusedAs,
  submitButton,
  type,
  typed,
} from './CategoryForm.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, describedBy, fakeTime, refusedFor, user, heldService } from './page.setup.ts'
import { renderWaiting } from './waits.setup.tsx'

cleanPage()

const cancelButton = () => screen.findByRole('button', { name: 'Cancel' })

test('P1 a submission that is over soon never changes the text of the button, and announces only the result', async () => {
  fakeTime() // passes more slowly on a busy machine, so that the response comes within 300 ms
  const announcements = recordAnnouncements()
  const { service } = renderOnService(<CategoryForm />)
  const button = submitButton()
  const texts = new Set<string | null>()
  const observer = new MutationObserver(() => texts.add(button.textContent))
  observer.observe(button, { attributes: true, characterData: true, childList: true, subtree: true })
  await type('Rabbit')
  await user.click(button)
  await createdLine('Rabbit')
  await waitFor(() => expect(announcements).toEqual(['Created “Rabbit”.']))
  observer.disconnect()
  expect([...texts]).toEqual(['Create category'])
  expect(created(service)).toBe(1)
})

test('P2 while the rate limit holds the request back, the form counts down; the reason alone describes the button', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  await user.click(submitButton())
  await cancelButton()
  expect(describedBy(await pendingButton())).toEqual(['Waiting for the request limit.'])
  const countdown = await within(form()).findByText(/Will be created in [34] seconds\./)
  expect(countdown.closest('[aria-live], [role="status"], [role="alert"]')).toBeNull()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await within(form()).findByText(/Will be created in [12] seconds?\./)).toBe(countdown)
  expect(service.requests).toHaveLength(1)
})

test('P3 announces a wait again when its reason changes, and not when its time does', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  const { wait } = renderWaiting(<CategoryForm defaultValues={{ name: 'Rabbit' }} />)
  await user.click(submitButton())
  await wait(20, 'rate-limit')
  await advanceTime(500)
  await wait(30, 'rate-limit', true)
  await advanceTime(200)
  await wait(4, 'connection')
  await advanceTime(200)
  expect(announcements).toEqual([
    expect.stringMatching(/^Waiting for the request limit\. Will be created in (19|20) seconds\.$/),
    'Can’t reach the service. Trying again in 4 seconds.',
  ])
})

test('E5 a failure before anything was sent gives no warning of a created category, and has no second button', async () => {
  const { fail } = renderWaiting(<CategoryForm defaultValues={{ name: 'Rabbit' }} />)
  await user.click(submitButton())
  const context = { operation: 'createCategory', attempts: 0, method: 'POST', replay: 'only-if-refused' } as const
  await fail(new NetworkError(context, undefined))
  const notice = screen.getByRole('group', { name: 'Can’t reach the service' })
  expect(notice.textContent).not.toContain('Check before you try again')
  expect(within(notice).queryByRole('button')).toBeNull()
  expect(submitButton()).toBeDefined()
})

test('P2 T1 "Cancel" sends nothing, keeps the text, and moves the focus to the submit button', async () => {
  fakeTime()
  const service = createPetstoreService()
  service.failNext(refusedFor(3))
  const announcements = recordAnnouncements()
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit', 'Soft ears')
  await user.click(submitButton())
  await user.click(await cancelButton())
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Create category' }))
  expect(within(form()).queryByText(/Will be created in/)).toBeNull()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(service.requests).toHaveLength(1)
  expect(typed()).toEqual(['Rabbit', 'Soft ears'])
  expect(nameField().readOnly).toBe(false)
  expect(announcements.at(-1)).toContain('Canceled. No category was created.')

  await user.click(submitButton())
  await createdLine('Rabbit')
  expect(service.requests.map(({ status }) => status)).toEqual([429, 201])
})

test('P3 announces once each: sending, waiting, created', async () => {
  fakeTime()
  const { service, release } = heldService()
  service.failNext(refusedFor(3))
  const announcements = recordAnnouncements()
  renderOnService(<CategoryForm />, { service })
  await type('Rabbit')
  expect(announcements).toEqual([])
  await user.click(submitButton())
  await waitFor(() => expect(announcements).toEqual(['Creating…']))
  await release()
  await waitFor(() =>
    expect(announcements.slice(1)).toEqual([
      expect.stringMatching(/^Waiting for the request limit\. Will be created in \d seconds\.$/),
    ]),
  )
  await vi.advanceTimersByTimeAsync(1_500)
  expect(announcements).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(3_000)
  await release()
  await createdLine('Rabbit')
  await vi.advanceTimersByTimeAsync(500)
  expect(announcements.slice(2).join(' ')).toMatch(/^Creating… Created “Rabbit”\.$/)
})

test('P4, M4 of CategoryManager: shows the created category until the next submission, and adds it to the list', async () => {
  const { service } = renderOnService(
    <>
      <CategoryForm />
      <CategoryList />
    </>,
  )
  await screen.findByText('Rabbit')
  await type('Gecko')
  await user.click(submitButton())
  await createdLine('Gecko')
  expect(screen.getByText('Gecko')).toBeDefined()
  await type('Cat')
  expect(within(form()).getByText('Created “Gecko”.')).toBeDefined()
  await user.clear(nameField())
  await user.click(submitButton())
  expect(within(form()).queryByText('Created “Gecko”.')).toBeNull()
  expect(service.requests).toHaveLength(2)
})

test('P4 onCreated may unmount the form, and an error that it throws is reported', async () => {
  const reported = vi.fn<() => void>()
  vi.stubGlobal('reportError', reported)
  function Once() {
    const [isShown, setShown] = useState(true)
    if (!isShown) return <p>Gone</p>
    return (
      <CategoryForm
        onCreated={() => {
          setShown(false)
          throw new Error('a mistake of the app')
        }}
      />
    )
  }
  const announcements = recordAnnouncements()
  renderOnService(<Once />)
  await type('Rabbit')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Gone')).toBeDefined()
  expect(reported).toHaveBeenCalledOnce()
  await waitFor(() => expect(announcements.join(' ')).toContain('Created “Rabbit”.'))
  vi.unstubAllGlobals()
})

test.each([
  ['created', undefined],
  ['refused at the name', refusedAs('invalid_name', 'No.')],
  ['refused for no field', refusedAs('no', 'No.')],
] as const)('P5 %s: the focus stays with a person who has moved on', async (_, fault) => {
  const { service, release } = heldService()
  if (fault) service.failNext(fault)
  const onCreated = vi.fn<() => void>()
  renderOnService(
    <>
      <CategoryForm onCreated={onCreated} />
      <input aria-label="Elsewhere" />
    </>,
    { service },
  )
  await type('Rabbit')
  await user.click(submitButton())
  const elsewhere = screen.getByRole('textbox', { name: 'Elsewhere' })
  await user.type(elsewhere, 'abc')
  await release()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Creating…' })).toBeNull())
  await (fault ? screen.findByText('No.') : createdLine('Rabbit'))
  expect(document.activeElement).toBe(elsewhere)
})

test('E2 P5 the error of a field is announced to a person who has moved on', async () => {
  const announcements = recordAnnouncements()
  const { service, release } = heldService()
  service.failNext(refusedAs('invalid_name', 'No.'))
  renderOnService(
    <>
      <CategoryForm />
      <input aria-label="Elsewhere" />
    </>,
    { service },
  )
  await type('Rabbit')
  await user.click(submitButton())
  await user.click(screen.getByRole('textbox', { name: 'Elsewhere' }))
  await release()
  await waitFor(() => expect(announcements.at(-1)).toBe('This name can’t be used.'))
})

test('P5 moves the focus when nothing has it: some browsers do not focus a clicked button', async () => {
  renderOnService(<CategoryForm />)
  await type('Rabbit')
  nameField().blur()
  fireEvent.click(submitButton())
  await createdLine('Rabbit')
  expect(document.activeElement).toBe(nameField())
})

test('P5 a new render moves no focus and clears nothing', async () => {
  const { update } = renderForm()
  await user.click(submitButton())
  descriptionField().focus()
  update({ title: 'two' })
  expect(document.activeElement).toBe(descriptionField())
  await type('Rabbit')
  await user.click(submitButton())
  await createdLine('Rabbit')
  await type('Cat', 'Purrs')
  update({ title: 'three' })
  expect(document.activeElement).toBe(descriptionField())
  expect(typed()).toEqual(['Cat', 'Purrs'])
})

test('F3 a success with the last request of the day: the held button and the line of the success share no id', async () => {
  const service = createPetstoreService({ plan: [{ limit: 1, per: 86_400_000 }] })
  renderForm({}, optionsFor(service))
  await type('Dog')
  await user.click(submitButton())
  await createdLine('Dog')
  await waitFor(() => expect(form().querySelector('[type=submit]')?.ariaDisabled).toBe('true'))
  const ids = [...form().querySelectorAll('[id]')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
