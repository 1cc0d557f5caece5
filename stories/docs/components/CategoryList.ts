import type { ComponentFacts } from './ComponentFacts.ts'

export const categoryList: ComponentFacts = {
  partsType: 'CategoryListClassNames',
  examples: ['Default', 'MultipleSelection', 'Actions', 'CustomRows', 'EmptyWithAction', 'RefreshFailed'],
  scenes: [
    {
      title: 'Rows',
      parts: ['toolbar', 'filter', 'refresh', 'summary', 'rows', 'row', 'name', 'description', 'actions'],
    },
    { title: 'More than 200 rows', parts: ['more'] },
    { title: 'No categories', parts: ['empty'] },
    { title: 'Loading', parts: ['skeleton'] },
  ],
  partTexts: {
    refresh: 'The button that loads the categories again.',
    row: 'One category.',
    name: 'The name of a category.',
    description: 'The description of a category.',
    skeleton: 'Placeholders for the first rows.',
  },
  keys: [
    {
      keys: 'Tab',
      text: 'Moves through filter, refresh, the controls of each row, and the button for more.',
      spec: ['M1'],
    },
    { keys: 'Enter in the filter', text: 'Does nothing, so a form around the list is not submitted.', spec: ['F5'] },
    {
      keys: 'Space, arrow keys',
      text: 'Check a row, or choose another one. The inputs are native checkboxes and radio buttons.',
      spec: ['L1'],
    },
    {
      keys: 'Shift and a press, Shift+Space',
      text: 'Changes all rows since the last one that was changed.',
      spec: ['L4'],
    },
  ],
  spoken: [
    {
      text: 'After typing in the filter pauses.',
      says: ({ categoryList: words }, format) => words.matches(2, 5, format),
      spec: ['F3'],
    },
    { text: 'When nothing matches.', says: ({ categoryList: words }) => words.noMatch('Lizard'), spec: ['F3', 'F4'] },
    { text: 'After a refresh.', says: ({ categoryList: words }) => words.refreshed, spec: ['R1'] },
    {
      text: 'When the first load, or a refresh that a person asked for, waits: why, and how long.',
      says: ({ categoryList: words }, format) => words.waiting(format.duration(42_000)),
      spec: ['S2'],
    },
    {
      text: 'After the button for more.',
      says: ({ categoryList: words }, format) => words.shown(400, 450, format),
      spec: ['O2'],
    },
    {
      text: 'After the buttons that select all rows and clear the selection.',
      says: ({ categoryList: words }, format) => words.selected(5, format),
      spec: ['L4'],
    },
    { text: 'When loading fails: the words of `ErrorNotice`.', spec: ['S3'] },
  ],
  dos: [
    'Give each control in `actions` a name that includes its category, such as "Edit Rabbit".',
    'Pass the same `renderItem` and `actions` functions on every render, so that only changed rows render again.',
    'If a page has two lists, give each an `aria-label`.',
  ],
  donts: [
    'Add loading, empty or error states of your own: the list has them, and keeps its rows when a later request fails.',
    'Put links or buttons into `renderItem` where rows can be selected: a press on the text selects the row. Use `actions`.',
  ],
  labels: 'categoryList',
  alsoShows: ['ErrorNotice'],
}
