import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { CategoryForm, CategoryList, useCreateCategory, useRateLimit } from '../../src/index.ts'
import type { Category, CategoryId } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { filterBox, names, refreshButton, renderList, rowOf, section } from './CategoryList.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { cleanPage, describedBy, user } from './page.setup.ts'

cleanPage()

const pets = {
  categories: [
    { id: 7, name: 'Dog', description: 'Loyal' },
    { id: 8, name: 'Guinea pig' },
    { id: 9, name: 'Cat', description: 'Owns the place' },
  ],
}
const ids = (...given: string[]) => given as CategoryId[]
const changed = vi.fn<(selection: readonly CategoryId[]) => void>()
beforeEach(() => void changed.mockClear())

const inputs = (role: 'checkbox' | 'radio') => screen.getAllByRole<HTMLInputElement>(role)
const checked = (role: 'checkbox' | 'radio') => inputs(role).filter((input) => input.checked)

test('L1 each row has a checkbox, named and described by its category; a press on the text selects', async () => {
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { service: pets })
  await screen.findByText('Dog')
  expect(inputs('checkbox').map((input) => [input.getAttribute('aria-label'), ...describedBy(input)])).toEqual([
    ['Dog', 'Loyal'],
    ['Guinea pig'],
    ['Cat', 'Owns the place'],
  ])
  await user.click(screen.getByText('Owns the place'))
  expect(checked('checkbox').map(({ ariaLabel }) => ariaLabel)).toEqual(['Cat'])
  expect(rowOf('Cat').dataset['selected']).toBe('true')
  await user.click(screen.getByRole('checkbox', { name: 'Dog' }))
  await user.click(screen.getByText('Owns the place'))
  expect(changed.mock.calls).toEqual([[ids('9')], [ids('9', '7')], [ids('7')]])
})

test('L1 L3 radio buttons are one group of each list, which still says how many rows it has', async () => {
  renderList(
    { selectionMode: 'single', onSelectionChange: changed },
    { service: pets, beside: <CategoryList selectionMode="single" aria-label="Others" defaultSelection={ids('8')} /> },
  )
  await screen.findAllByText('Dog')
  for (const name of ['Dog', 'Guinea pig']) {
    await user.click(screen.getAllByRole('radio', { name })[0] as HTMLElement)
  }
  expect(changed.mock.calls).toEqual([[ids('7')], [ids('8')]])
  expect(checked('radio').map(({ ariaLabel }) => ariaLabel)).toEqual(['Guinea pig', 'Guinea pig'])
  expect(screen.getAllByText(/^\d categories$/).map(({ hidden }) => hidden)).toEqual([false, false])
  expect(screen.queryByText(/selected|Select all/)).toBeNull()
})

test('L1 a press on an action does not select', async () => {
  const actions = ({ name }: Category) => <button type="button">{`Edit ${name}`}</button>
  renderList({ selectionMode: 'multiple', onSelectionChange: changed, actions }, { service: pets })
  await user.click(await screen.findByRole('button', { name: 'Edit Dog' }))
  expect(changed).not.toHaveBeenCalled()
})

test('L1 without a selection mode nothing can be, or is, selected', async () => {
  renderList({ selection: ids('7') }, { service: pets })
  await screen.findByText('Dog')
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(rowOf('Dog').dataset['selected']).toBeUndefined()
})

test('L1 a category without a name has a checkbox named by its id', async () => {
  const fetch = async () => Response.json([{ id: 7, name: '' }])
  renderList({ selectionMode: 'multiple' }, { client: { fetch } })
  expect(await screen.findByRole('checkbox', { name: '7' })).toBeDefined()
})

test.each(['single', 'multiple'] as const)(
  'L1 a reset of a form around the list changes neither the selection nor the inputs that show it: %s',
  async (selectionMode) => {
    const role = selectionMode === 'single' ? 'radio' : 'checkbox'
    const { container } = renderList({ selectionMode, defaultSelection: ids('7') }, { service: pets })
    const form = document.createElement('form')
    document.body.append(form)
    form.append(container)
    await user.click(await screen.findByRole(role, { name: 'Cat' }))
    const selected = checked(role)
    expect(selected).toContain(screen.getByRole(role, { name: 'Cat' }))
    form.reset()
    expect(checked(role)).toEqual(selected)
  },
)

test('L2 a given selection changes only as the app changes it', async () => {
  const props = { selectionMode: 'multiple', onSelectionChange: changed } as const
  const { update } = renderList({ ...props, selection: ids('7') }, { service: pets })
  await screen.findByText('Dog')
  await user.click(screen.getByRole('checkbox', { name: 'Cat' }))
  expect(changed.mock.calls).toEqual([[ids('7', '9')]])
  expect(checked('checkbox').map(({ ariaLabel }) => ariaLabel)).toEqual(['Dog'])
  update({ ...props, selection: ids('9') })
  expect(checked('checkbox').map(({ ariaLabel }) => ariaLabel)).toEqual(['Cat'])
})

test.each(['selection', 'defaultSelection'] as const)(
  'L2 of several ids, `single` takes the first: %s',
  async (name) => {
    renderList({ selectionMode: 'single', [name]: ids('1', '8', '7') }, { service: pets })
    await screen.findByText('Dog')
    expect(checked('radio').map(({ ariaLabel }) => ariaLabel)).toEqual(['Guinea pig'])
    expect(rowOf('Dog').dataset['selected']).toBeUndefined()
  },
)

test('L2 ids that the list lacks are left out of the next selection', async () => {
  renderList({ selectionMode: 'multiple', selection: ids('7', '99'), onSelectionChange: changed }, { service: pets })
  await screen.findByText('Dog')
  await user.click(screen.getByRole('checkbox', { name: 'Cat' }))
  expect(changed.mock.calls).toEqual([[ids('7', '9')]])
})

test('L2 two changes in one go are both kept', async () => {
  renderList({ selectionMode: 'multiple', defaultSelection: ids('8'), onSelectionChange: changed }, { service: pets })
  await screen.findByText('Dog')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Dog' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Cat' }))
  expect(changed.mock.lastCall).toEqual([ids('8', '7', '9')])
  expect(screen.getByText('3 selected')).toBeDefined()
})

test('L3 rows that the filter hides stay selected and are counted', async () => {
  renderList({ selectionMode: 'multiple', defaultSelection: ids('7'), onSelectionChange: changed }, { service: pets })
  await screen.findByText('Dog')
  expect(screen.getByText('1 selected')).toBeDefined()
  await user.type(filterBox(), 'cat')
  await waitFor(() => expect(names()).toEqual(['Cat']))
  expect(screen.getByText('1 selected')).toBeDefined()
  await user.click(screen.getByRole('checkbox', { name: 'Cat' }))
  expect(changed.mock.calls).toEqual([[ids('7', '9')]])
  await user.clear(filterBox())
  await waitFor(() => expect(checked('checkbox').map(({ ariaLabel }) => ariaLabel)).toEqual(['Dog', 'Cat']))
  await user.click(screen.getByRole('checkbox', { name: 'Cat' }))
  await user.click(screen.getByRole('checkbox', { name: 'Dog' }))
  expect(screen.queryByText(/selected/)).toBeNull()
})

test('L4 with Shift, a press changes all rows since the last one', async () => {
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { service: { categories: 10 } })
  await screen.findByText('Dog 1')
  const press = async (index: number, hasShift: boolean) => {
    if (hasShift) await user.keyboard('{Shift>}')
    await user.click(inputs('checkbox')[index] as HTMLElement)
    if (hasShift) await user.keyboard('{/Shift}')
  }
  const positions = () => inputs('checkbox').flatMap((input, index) => (input.checked ? [index] : []))
  // Nothing was pressed before: there is no range yet.
  await press(4, true)
  expect(positions()).toEqual([4])
  await press(7, true)
  expect(positions()).toEqual([4, 5, 6, 7])
  expect(changed).toHaveBeenCalledTimes(2)
  await press(1, false)
  await press(2, true)
  expect(positions()).toEqual([1, 2, 4, 5, 6, 7])
  // A range upwards, which clears its rows.
  await press(6, false)
  await press(4, true)
  expect(positions()).toEqual([1, 2, 7])
})

test('L4 with Shift and Space, also where the click of the keyboard does not say that Shift is held', async () => {
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { service: { categories: 10 } })
  await screen.findByText('Dog 1')
  // In Firefox, the click that Space makes has no `shiftKey`.
  const pressSpace = (index: number, shiftKey: boolean) => {
    const input = inputs('checkbox')[index] as HTMLElement
    fireEvent.keyUp(input, { key: ' ', shiftKey })
    fireEvent.click(input, { detail: 0 })
    fireEvent.keyUp(input, { key: 'Shift' })
  }
  pressSpace(1, false)
  pressSpace(4, true)
  expect(changed.mock.lastCall?.[0]).toHaveLength(4)
  pressSpace(8, false)
  expect(changed.mock.lastCall?.[0]).toHaveLength(5)
  // No `keyUp` of Shift reaches the list. Then the mouse presses the text of a row: a click without `detail`, too.
  fireEvent.keyUp(inputs('checkbox')[8] as HTMLElement, { key: ' ', shiftKey: true })
  fireEvent.click(inputs('checkbox')[8] as HTMLElement, { detail: 0 })
  expect(changed.mock.lastCall?.[0]).toHaveLength(4)
  fireEvent.click(inputs('checkbox')[6] as HTMLElement, { detail: 0 })
  expect(changed.mock.lastCall?.[0]).toHaveLength(5)
})

test('L4 “Select all” selects what matches the filter, in all pages; “Clear selection” clears everything', async () => {
  const announcements = recordAnnouncements()
  renderList({ selectionMode: 'multiple', onSelectionChange: changed }, { service: { categories: 450 } })
  await screen.findByText('Dog 1')
  const selectAll = screen.getByRole('button', { name: 'Select all' })
  const clearButton = () => screen.queryByRole('button', { name: 'Clear selection' })
  expect(clearButton()).toBeNull()

  await user.click(screen.getByRole('checkbox', { name: 'Dog 1' }))
  await user.type(filterBox(), 'hamster')
  await waitFor(() => expect(names()).toHaveLength(45))
  await user.click(selectAll)
  expect(changed.mock.lastCall?.[0]).toHaveLength(46)
  expect(selectAll.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(selectAll)
  await waitFor(() => expect(announcements).toContain('46 selected'))

  await user.clear(filterBox())
  await waitFor(() => expect(names()).toHaveLength(200))
  await user.click(selectAll)
  expect(changed.mock.lastCall?.[0]).toHaveLength(450)
  await user.click(clearButton() ?? document.body)
  expect(changed.mock.lastCall).toEqual([[]])
  expect(clearButton()).toBeNull()
  expect(document.activeElement).toBe(selectAll)
  expect(checked('checkbox')).toEqual([])
  await waitFor(() => expect(announcements.at(-1)).toMatch(/\b0 selected$/))
})

test('M7, F3 of CategoryForm: ids are unique, however many lists and forms are on the page', async () => {
  const beside = (
    <>
      <CategoryList selectionMode="multiple" />
      <CategoryForm />
      <CategoryForm />
    </>
  )
  renderList({ selectionMode: 'multiple' }, { service: { categories: 201 }, beside })
  await screen.findAllByText('Dog 1')
  const found = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  expect(found.length).toBeGreaterThan(200)
  expect(new Set(found).size).toBe(found.length)
})

function Quota() {
  return <p title="quota">{useRateLimit().remaining}</p>
}

function CreateNewt() {
  const { trigger } = useCreateCategory()
  return (
    <button type="button" onClick={() => void trigger({ name: 'Newt' })}>
      Create newt
    </button>
  )
}

test('P1 a row renders only for a change of its own', async () => {
  const renderItem = vi.fn<(category: Category) => string>(({ name }) => name)
  const rendered = () => [...new Set(renderItem.mock.calls.splice(0).map(([{ name }]) => name))]
  const service = createPetstoreService(pets)
  renderList(
    { renderItem, selectionMode: 'multiple' },
    {
      service,
      beside: (
        <>
          <Quota />
          <CreateNewt />
        </>
      ),
    },
  )
  await screen.findByText('Dog')
  expect(rendered()).toEqual(['Dog', 'Guinea pig', 'Cat'])

  // A request, and its quota
  const { textContent: quota } = screen.getByTitle('quota')
  await user.click(refreshButton())
  await waitFor(() => expect(screen.getByTitle('quota').textContent).not.toBe(quota))
  await waitFor(() => expect(refreshButton().getAttribute('aria-disabled')).toBe('false'))
  // A failure
  service.failNext({ status: 500 })
  await user.click(refreshButton())
  await screen.findByText('The service has a problem')
  // A keystroke
  await user.type(filterBox(), 'g')
  await waitFor(() => expect(section().textContent).toContain('2 of 3'))
  expect(rendered()).toEqual([])
  // The selection of one row
  await user.click(screen.getByRole('checkbox', { name: 'Dog' }))
  expect(rendered()).toEqual(['Dog'])
  // New rows
  await user.clear(filterBox())
  await screen.findByText('Cat')
  expect(rendered()).toEqual(['Cat'])
  await user.click(screen.getByRole('button', { name: 'Create newt' }))
  await screen.findByText('Newt')
  expect(rendered()).toEqual(['Newt'])
})

test('P1 every row re-renders for a new `renderItem` or `actions`', async () => {
  const { update } = renderList({ renderItem: ({ name }) => `One ${name}` }, { service: pets })
  await screen.findByText('One Dog')
  update({ renderItem: ({ name }) => `Two ${name}`, actions: ({ name }) => <i>{`Act on ${name}`}</i> })
  expect(screen.getByText('Two Dog')).toBeDefined()
  expect(screen.getByText('Act on Cat')).toBeDefined()
})
