import type { ComponentFacts } from './ComponentFacts.ts'

export const errorNotice: ComponentFacts = {
  partsType: 'ErrorNoticeClassNames',
  examples: ['NoConnection', 'RateLimited', 'KeyBanned', 'OutcomeUnknown', 'Details', 'WithActions'],
  scenes: [
    { title: 'Failure', parts: ['icon', 'title', 'advice', 'details', 'retry'] },
    { title: 'Rate limit', parts: ['wait'] },
  ],
  partTexts: {
    icon: 'An exclamation mark. Red only for what failed.',
    title: 'What went wrong. It names the group.',
    advice: 'What happened, and what people can do about it.',
    details: "The service's message, code and status, closed at first.",
    retry: 'The button "Try again".',
  },
  keys: [
    { keys: 'Enter or Space on "Try again"', text: 'Retries. During a wait it does nothing.', spec: ['R2', 'R5'] },
    {
      keys: 'Enter or Space on "Details"',
      text: 'Opens or closes the details, as in any `details` element.',
      spec: ['M4'],
    },
  ],
  spoken: [
    {
      text: 'When it appears, when the error changes to another kind, and when a retry fails.',
      says: ({ errorNotice: { errors } }) => `${errors.network.title}. ${errors.network.advice}`,
      spec: ['A1', 'A2'],
    },
    {
      text: 'After a 429.',
      says: ({ errorNotice: words }, format) =>
        `${words.errors['rate-limit'].title}. ${words.retryIn(format.duration(42_000))}`,
      spec: ['A1', 'R3'],
    },
    {
      text: 'When the change may have been applied.',
      says: ({ errorNotice: { situations } }) =>
        `${situations.mayHaveHappened.title}. ${situations.mayHaveHappened.advice}`,
      spec: ['M3', 'A1'],
    },
    { text: 'When the wait is over.', says: ({ errorNotice: words }) => words.retryNow, spec: ['R4', 'A3'] },
    {
      text: 'With the focus on "Try again" during a wait: its name and the reason, never the countdown.',
      spec: ['R2', 'R3'],
    },
  ],
  dos: [
    'Pass the error of a hook as it is. Each kind has its own title and advice.',
    'Pass `isRetrying`, so that the button says so and keeps the focus.',
    'Use `data-severity` for your own styles: `warning` if the error says when to try again, else `error`.',
  ],
  donts: [
    'Put it into a `role="alert"` or another live region: it announces itself, once.',
    'Leave out the notes about a change that may have been applied. They keep people from doing it twice.',
    'Call `onRetry` yourself on a timer. The client retries what is safe to retry before it fails.',
  ],
  labels: 'errorNotice',
  alsoShows: [],
}
