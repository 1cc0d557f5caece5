import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CategoryList, PetstoreProvider, usePetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { filterBox, moreButton, names, renderList, section } from './CategoryList.setup.tsx'
import { recordAnnouncements } from './announcements.ts'
import { advanceTime, cleanPage, fakeTime, user } from './page.setup.ts'

cleanPage()

const pets = {
  categories: [
    { name: 'Dog', description: 'Loyal, and always hungry' },
    { name: 'Guinea pig' },
    { name: 'Éléphant d’Afrique', description: 'Grande' },
    { name: 'İguana', description: 'ISPARTA' },
    { name: 'ΟΔΟΣ', description: 'قِطَط' },
    { name: 'के', description: 'की' },
    { name: 'Nul\0l', description: 'inside' },
  ],
}

async function filterBy(text: string, { service = pets, locale }: { service?: typeof pets; locale?: string } = {}) {
  renderList({}, { service, ...(locale && { locale }) })
  await screen.findByText('Dog')
  fireEvent.change(filterBox(), { target: { value: text } })
}

test('F1 the button empties the box and gives it the focus; it is there only when there is something to empty', async () => {
  await filterBy('pig')
  await waitFor(() => expect(names()).toEqual(['Guinea pig']))
  const button = screen.getByRole('button', { name: 'Clear filter' })
  act(() => button.click()) // no time passes
  // The button is still there: a screen reader has to notice the new focus before the focused element disappears.
  expect(document.activeElement).toBe(filterBox())
  expect(filterBox().value).toBe('')
  expect(button.isConnected).toBe(true)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull())
  await waitFor(() => expect(names()).toHaveLength(pets.categories.length))
})

test('F1 `filterable={false}` shows no box and all rows', async () => {
  const { update } = renderList({}, { service: pets })
  await screen.findByText('Dog')
  await user.type(filterBox(), 'dog')
  await waitFor(() => expect(names()).toEqual(['Dog']))
  update({ filterable: false })
  await waitFor(() => expect(names()).toHaveLength(pets.categories.length))
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test.each([
  ['PIG', ['Guinea pig']],
  ['  pig ', ['Guinea pig']],
  ['HUNGRY', ['Dog']],
  ['elephant', ['Éléphant d’Afrique']],
  ['ÉLEPH', ['Éléphant d’Afrique']],
  ['e\u0301le\u0301phant', ['Éléphant d’Afrique']],
  ['iguana', ['İguana']],
  ['οδος', ['ΟΔΟΣ']],
  ['οδοσ', ['ΟΔΟΣ']],
  ['قطط', ['ΟΔΟΣ']],
  ['के', ['के']],
  ['की', ['के']],
  ['inside', ['Nul\0l']],
  ['hungryguinea', []], // the end of one category and the beginning of the next
  ['pigÉ', []],
  ['grande\nelephant', []],
  ['कु', []], // the vowel sign makes another word
])('F2 %j finds %j', async (text, found) => {
  await filterBy(text)
  await waitFor(() => expect(names()).toEqual(found))
})

test.each([
  ['en', 'isparta', ['İguana']],
  ['tr', 'ısparta', ['İguana']],
  ['tr', 'isparta', []],
])('F2 in "%s" %j finds %j', async (locale, text, found) => {
  await filterBy(text, { locale })
  await waitFor(() => expect(names()).toEqual(found))
})

const strange = {
  categories: [
    { name: 'Dog', description: 'ABC' },
    { name: 'カフェ' },
    { name: 'fish' },
    { name: 'Red\u00a0panda' },
    { name: "Darwin's frog", description: 'say "hi"' },
    { name: 'Pet™' },
    { name: 'tailed\tfox' },
    { name: 'Łódź' },
    { name: 'Ørsted’s Đuro' },
    { name: 'O`Hara' },
  ],
}

test.each([
  ['ＡＢＣ', 'Dog'],
  ['ｶﾌｪ', 'カフェ'],
  ['ﬁsh', 'fish'],
  ['red panda', 'Red\u00a0panda'],
  ['red  panda', 'Red\u00a0panda'],
  ['red\u00a0panda', 'Red\u00a0panda'],
  ['darwin’s', "Darwin's frog"],
  ['darwin´s', "Darwin's frog"],
  ['darwin`s', "Darwin's frog"],
  ['“hi”', "Darwin's frog"],
  ['tm', 'Pet™'],
  ['tailed fox', 'tailed\tfox'],
  ['lodz', 'Łódź'],
  ['ŁODZ', 'Łódź'],
  ['orsted', 'Ørsted’s Đuro'],
  ['duro', 'Ørsted’s Đuro'],
  ['O｀hara', 'O`Hara'],
  ['O＇hara', 'O`Hara'],
])('F2 “%s” finds %s, however it is typed', async (text, name) => {
  await filterBy(text, { service: strange })
  await waitFor(() => expect(names()).toEqual([name]))
})

function TurkishList() {
  return (
    <PetstoreProvider client={usePetstoreClient()} locale="tr">
      <CategoryList aria-label="Kategoriler" />
    </PetstoreProvider>
  )
}

test('F2 of two lists with the same rows, each filters by the rules of its own locale', async () => {
  renderList({}, { service: pets, beside: <TurkishList /> })
  await waitFor(() => expect(names()).toHaveLength(2 * pets.categories.length))
  for (const box of screen.getAllByRole('searchbox')) await user.type(box, 'isparta')
  await waitFor(() => expect(names()).toEqual(['İguana']))
})

// A timer prepares the filter when the box gets the focus.
test.each(['before', 'after'])('F2 finds any of 12,000 rows %s the filter is prepared', async (when) => {
  fakeTime()
  renderList({}, { service: { categories: 12_000 } })
  await screen.findByText('Dog 1')
  filterBox().focus()
  if (when === 'after') await advanceTime(1_000)
  for (const name of ['Pony 12000', 'Dog 4991', 'Pony 5000', 'Dog 5001', 'Dog 10001']) {
    fireEvent.change(filterBox(), { target: { value: name } })
    await waitFor(() => expect(names()).toEqual([name]))
  }
})

test('F3 shows the number of matches, and announces it once when typing pauses', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  await filterBy('a')
  await waitFor(() => expect(section().textContent).toContain('4 of 7 categories'))
  await advanceTime(300)
  await user.type(filterBox(), 'l')
  await waitFor(() => expect(section().textContent).toContain('1 of 7 categories'))
  await advanceTime(300)
  expect(announcements).toEqual([])
  await advanceTime(1_000)
  expect(announcements).toEqual(['1 of 7 categories'])
  await user.clear(filterBox())
  await waitFor(() => expect(names()).toHaveLength(7))
  await advanceTime(1_000)
  expect(announcements).toEqual(['1 of 7 categories', '7 categories'])
  await advanceTime(5_000)
  expect(announcements).toHaveLength(2)
})

test('F4 says so when nothing matches, and passes the filter to `noMatchAction`', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  renderList(
    {
      noMatchAction: (filter) => <button type="button">{`Create ${filter}`}</button>,
      emptyAction: <p>Not this one</p>,
    },
    { service: pets },
  )
  await screen.findByText('Dog')
  await user.type(filterBox(), ' Newt ')
  expect(await screen.findByText('No categories match “Newt”.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Create Newt' })).toBeDefined()
  expect(screen.queryByText('Not this one')).toBeNull()
  expect(screen.queryByRole('list')).toBeNull()
  await advanceTime(1_000)
  expect(announcements).toEqual(['No categories match “Newt”.'])
})

test('F4 quotes only the beginning of a long filter', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  renderList({}, { service: pets })
  await screen.findByText('Dog')
  await user.click(filterBox())
  await user.paste('Please bring twenty sacks of hay to the northern gate')
  const sentence = 'No categories match “Please bring twenty sacks of hay to the…”.'
  expect(await screen.findByText(sentence)).toBeDefined()
  await advanceTime(1_000)
  expect(announcements).toEqual([sentence])
})

test('F5 Enter in the box does not submit the form around it', async () => {
  const submitted = vi.fn<() => void>()
  const { container } = renderList({}, { service: pets })
  await screen.findByText('Dog')
  const form = document.createElement('form')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submitted()
  })
  container.before(form)
  form.append(container)
  await user.type(filterBox(), 'dog{Enter}')
  expect(submitted).not.toHaveBeenCalled()
  expect(filterBox().value).toBe('dog')
})

test('O1 `order="name"` sorts in the order of the locale, and can be turned off again', async () => {
  const service = createPetstoreService({
    categories: [{ name: 'zebra' }, { name: 'Öring' }, { name: 'Ara 10' }, { name: 'ara 9' }, { name: 'Orm' }],
  })
  const { update, unmount } = renderList({ order: 'name' }, { service, locale: 'sv' })
  await screen.findByText('zebra')
  expect(names()).toEqual(['ara 9', 'Ara 10', 'Orm', 'zebra', 'Öring'])
  update({ order: 'service' })
  expect(names()).toEqual(['zebra', 'Öring', 'Ara 10', 'ara 9', 'Orm'])
  unmount()
  renderList({ order: 'name' }, { service, locale: 'de' })
  await screen.findByText('zebra')
  expect(names()).toEqual(['ara 9', 'Ara 10', 'Öring', 'Orm', 'zebra'])
})

test('O2 200 rows at first; each press shows 200 more, with the focus on the first of them', async () => {
  fakeTime()
  const announcements = recordAnnouncements()
  renderList({}, { service: { categories: 450 } })
  await screen.findByText('Dog 1')
  const list = screen.getByRole('list')
  expect(names()).toHaveLength(200)
  const descriptions = (list.getAttribute('aria-describedby') ?? '').split(' ')
  const says = () => descriptions.map((id) => document.getElementById(id)?.textContent)
  expect(says()).toEqual(['450 categories', 'Showing 200 of 450'])

  await user.click(moreButton())
  expect(names()).toHaveLength(400)
  expect(says()).toEqual(['450 categories', 'Showing 400 of 450'])
  expect(document.activeElement).toBe(list.children[200])
  await advanceTime(150)
  expect(announcements).toEqual(['Showing 400 of 450'])

  expect(moreButton().textContent).toBe('Show 50 more')
  await user.click(moreButton())
  expect(names()).toHaveLength(450)
  expect(document.activeElement).toBe(list.children[400])
  expect(section().textContent).not.toContain('Showing')
  expect(list.getAttribute('aria-describedby')?.split(' ')).toHaveLength(1)
  await advanceTime(150)
  expect(announcements).toEqual(['Showing 400 of 450', 'Showing 450 of 450'])
})

test('O2 a new filter starts with 200 rows again, and the next press moves the focus again', async () => {
  renderList({}, { service: { categories: 450 } })
  await screen.findByText('Dog 1')
  await user.click(moreButton())
  await user.type(filterBox(), 'category')
  await waitFor(() => expect(section().textContent).toContain('300 of 450 categories'))
  expect(names()).toHaveLength(200)
  expect(section().textContent).toContain('Showing 200 of 300')
  await user.click(moreButton())
  expect(names()).toHaveLength(300)
  expect(document.activeElement).toBe(screen.getByRole('list').children[200])
})
