import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { filterBox, names, renderList } from './CategoryList.setup.tsx'
import { cleanPage } from './page.setup.ts'

cleanPage()

const pets = {
  categories: [
    { name: 'Dog', description: 'ABC' },
    { name: 'カフェ' },
    { name: 'fish' },
    { name: 'Red\u00a0panda' },
    { name: "Darwin's frog", description: 'say "hi"' },
    { name: 'Pet™' },
    { name: 'tailed\tfox' },
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
])('F2 “%s” finds %s, however it is typed', async (text, name) => {
  renderList({}, { service: pets })
  await screen.findByText('Dog')
  fireEvent.change(filterBox(), { target: { value: text } })
  await waitFor(() => expect(names()).toEqual([name]))
})

test('F2 a query matches in one text, not across name and description', async () => {
  renderList({}, { service: pets })
  await screen.findByText('Dog')
  fireEvent.change(filterBox(), { target: { value: 'dog abc' } })
  await waitFor(() => expect(names()).toEqual([]))
})
