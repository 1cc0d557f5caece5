import type { ComponentFacts } from './ComponentFacts.ts'

export const messageComposer: ComponentFacts = {
  partsType: 'MessageComposerClassNames',
  examples: ['Default', 'CharacterLimit', 'Queued', 'Waiting', 'MayHaveBeenSent', 'Draft'],
  scenes: [
    { title: 'Write a message', parts: ['form', 'label', 'input', 'hint', 'count', 'send'] },
    { title: 'Rejected text', parts: ['fieldError'] },
    { title: 'Outbox', parts: ['outbox', 'message', 'text', 'status', 'advice', 'buttons'] },
  ],
  partTexts: {
    form: 'Everything above the list of messages.',
    label: 'The label of the field.',
    fieldError: 'Why the text cannot be sent.',
    hint: 'How to send with the keyboard.',
    send: 'The button that sends the text.',
    text: 'The text of a message.',
  },
  keys: [
    { keys: 'Ctrl+Enter, ⌘ Return', text: 'Sends the text, but not while an input method composes it.', spec: ['W1'] },
    { keys: 'Enter in the field', text: 'Starts a new line.', spec: ['W1'] },
    { keys: 'Tab', text: 'Moves to "Send", and on to the buttons of each message.', spec: ['M1', 'L3'] },
  ],
  spoken: [
    { text: 'With the focus on the field: its label, how to send, and how long a text may be.', spec: ['M1', 'W4'] },
    {
      text: 'When the service queued a message. The first words name it.',
      says: ({ messageComposer: words }) => words.announcement('Do you have rabbits?', words.queued),
      spec: ['A1'],
    },
    {
      text: 'When a message waits: why, and how long.',
      says: ({ messageComposer: words }, format) =>
        words.announcement('Do you have rabbits?', words.waiting(format.duration(42_000))),
      spec: ['A1'],
    },
    {
      text: 'When a message was not sent.',
      says: ({ messageComposer: words, errorNotice }) =>
        words.announcement('Do you have rabbits?', words.failedBecause(errorNotice.errors.authentication.title)),
      spec: ['A1'],
    },
    {
      text: 'When a message may have been sent.',
      says: ({ messageComposer: words, errorNotice: { situations } }) =>
        words.announcement('Do you have rabbits?', situations.mayHaveHappened.title),
      spec: ['A1'],
    },
    {
      text: 'When a text is rejected and the field has the focus.',
      says: ({ messageComposer: words }) => words.empty,
      spec: ['W2', 'A1'],
    },
    {
      text: 'When a text stays in the field, since it would wait for too long.',
      says: ({ messageComposer: words, errorNotice }, format) =>
        `${words.failedBecause(errorNotice.errors['rate-limit'].title)}. ${errorNotice.retryIn(format.duration(600_000))}`,
      spec: ['S8', 'A1'],
    },
    {
      text: 'With `maxLength`, after a second without typing.',
      says: ({ messageComposer: words }, format) => words.charactersLeft(120, format),
      spec: ['W4'],
    },
  ],
  dos: [
    'Give the provider a `quickstartBaseUrl`. Without one no message can be sent.',
    'Pass a `draftKey`, so that the text survives a reload. Use another key for each conversation or person.',
    'Remove that key from the session storage when a person signs out.',
  ],
  donts: [
    'Call a message with status `queued` sent or delivered. The service has only accepted it.',
    'Cut a text to `maxLength`: people shorten it themselves, and lose nothing.',
    'Send a message again in your own code because it may not have arrived. The composer offers that to the person.',
  ],
  labels: 'messageComposer',
  alsoShows: ['ErrorNotice'],
}
