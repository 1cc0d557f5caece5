import type { ComponentFacts } from './ComponentFacts.ts'

export const categoryForm: ComponentFacts = {
  partsType: 'CategoryFormClassNames',
  examples: ['Default', 'NameMissing', 'SeveralProblems', 'Waiting', 'LostResponse', 'WithList'],
  scenes: [
    { title: 'Empty form', parts: ['field', 'label', 'hint', 'input', 'actions', 'submit'] },
    { title: 'Several problems', parts: ['summary', 'fieldError'] },
    { title: 'Failed', parts: ['notice'] },
    { title: 'Waiting for the rate limit', parts: ['cancel', 'status'] },
    { title: 'Created, but not in view', parts: ['show'] },
  ],
  partTexts: {
    label: 'The label of a field.',
    hint: 'What to enter.',
    fieldError: 'Why the text of the field was not accepted.',
    input: 'The input of a field.',
    submit: 'The button that creates the category.',
    cancel: 'The button that cancels a request that waits.',
  },
  keys: [
    { keys: 'Enter in a field', text: 'Creates the category. A key that is held down creates one.', spec: ['S3'] },
    {
      keys: 'Enter in unchanged text',
      text: 'Sends nothing and says why, if the category may have been created. The button sends it again.',
      spec: ['S5'],
    },
    { keys: 'Enter on a problem in the summary', text: 'Moves the focus to its field.', spec: ['E3'] },
  ],
  spoken: [
    { text: 'With the focus on a field: its label, its hint, and its error if there is one.', spec: ['F1', 'E2'] },
    {
      text: 'Once a submission has been under way for 300 ms.',
      says: ({ categoryForm: words }) => words.submitting,
      spec: ['P1', 'P3'],
    },
    {
      text: 'When the request waits: why, and how long.',
      says: ({ categoryForm: words }, format) =>
        `${words.waitReasons.connection} ${words.savingIn(format.duration(4_000), undefined, 'connection')}`,
      spec: ['P3'],
    },
    { text: 'After "Cancel".', says: ({ categoryForm: words }) => words.cancelled, spec: ['P3'] },
    {
      text: 'When the category was created.',
      says: ({ categoryForm: words }) => words.created('Rabbit'),
      spec: ['P3'],
    },
    {
      text: 'When it was created, but the response could not be read.',
      says: ({ categoryForm: words }) => words.createdUnread('Rabbit'),
      spec: ['P3'],
    },
    {
      text: 'When several fields, or none in particular, have a problem: this title, then each problem.',
      says: ({ categoryForm: words }) => words.problems,
      spec: ['E3'],
    },
    {
      text: 'When one field has a problem and the focus already.',
      says: ({ categoryForm: words }) => words.nameMissing,
      spec: ['E2'],
    },
    {
      text: 'After Enter in unchanged text that may have been created.',
      says: ({ errorNotice: { situations } }) =>
        `${situations.mayHaveHappened.title}. ${situations.mayHaveHappened.advice}`,
      spec: ['S5'],
    },
    { text: 'After every other failure: the words of `ErrorNotice`.', spec: ['E5'] },
  ],
  dos: [
    'Show the list near the form. After a lost response people check there whether the category was created.',
    'Use `onCreated` to close a dialog or to change the page. It is called even after the form unmounts.',
    'Set `optimistic` where a list or `usePendingCategories` is on the page.',
  ],
  donts: [
    'Clear the fields yourself: they keep their text through every failure, and a success clears them.',
    'Send the category again in your own code after an error whose `outcome` is `unknown`.',
    'Put the form into another form. HTML does not allow that.',
  ],
  labels: 'categoryForm',
  alsoShows: ['ErrorNotice'],
}
