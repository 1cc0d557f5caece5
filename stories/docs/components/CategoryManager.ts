import type { ComponentFacts } from './ComponentFacts.ts'

export const categoryManager: ComponentFacts = {
  partsType: 'CategoryManagerProps',
  examples: ['Default', 'Empty', 'Creating', 'CreatedOutOfSight', 'Headings', 'Narrow'],
  scenes: [{ title: 'The three components', parts: ['list', 'form', 'badge'] }],
  partTexts: {},
  keys: [
    {
      keys: 'Tab',
      text: 'Moves through the form, then through the list. Each has the keys of its own page.',
      spec: ['M1'],
    },
    {
      keys: 'Enter on the button in the empty list',
      text: 'Moves the focus to the first field of the form.',
      spec: ['M5'],
    },
  ],
  spoken: [{ text: 'What `CategoryForm`, `CategoryList` and `RateLimitBadge` speak, each once.', spec: ['M1'] }],
  dos: [
    'Set props of the parts with `list`, `form` and `badge`.',
    'Set `headingLevel` where the page has headings. They then name form and list.',
    'Set `form={{ optimistic: false }}` to show a category only when it has been created.',
  ],
  donts: [
    'Pass an `emptyAction` in `list` unless you replace the way to the form: the default one moves the focus there.',
    'Use it where people only read. `CategoryList` does that.',
  ],
  alsoShows: ['CategoryList', 'CategoryForm', 'RateLimitBadge', 'ErrorNotice'],
}
