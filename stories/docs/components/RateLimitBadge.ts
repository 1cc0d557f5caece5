import type { ComponentFacts } from './ComponentFacts.ts'

export const rateLimitBadge: ComponentFacts = {
  partsType: 'RateLimitBadgeClassNames',
  examples: ['Available', 'Low', 'Paused', 'UsedUp', 'KeyRejected', 'Compact'],
  scenes: [
    { title: 'Full', parts: ['title', 'state', 'icon', 'remaining'] },
    { title: 'During a cool-down', parts: ['time'] },
  ],
  partTexts: {
    title: 'The name of the badge.',
    state: 'The state in a word, and its icon.',
    icon: 'A shape of its own for each state.',
    time: 'When the next request can be sent, or when the quota resets.',
  },
  keys: [{ keys: 'None', text: 'The badge has no control and takes no focus.', spec: ['M1'] }],
  spoken: [
    {
      text: 'When the quota runs low.',
      says: ({ rateLimitBadge: words }, format) => `${words.title}: ${words.low}. ${words.remaining(12, 60, format)}.`,
      spec: ['B1'],
    },
    {
      text: 'When a cool-down begins, or nothing is left.',
      says: ({ rateLimitBadge: words }, format) =>
        `${words.title}: ${words.coolingDown}. ${words.nextIn(format.duration(42_000))}.`,
      spec: ['B1'],
    },
    { text: 'When requests can be sent again.', says: ({ rateLimitBadge: words }) => words.restored, spec: ['B1'] },
    { text: 'Nothing about requests that fail: whoever waits for one says so.', spec: ['B1', 'M6'] },
    { text: 'Nothing about a wait that the form, list or notice a person used announces itself.', spec: ['B1'] },
    { text: 'Several badges speak once. No tick of the countdown is spoken.', spec: ['B2', 'B3'] },
  ],
  dos: [
    'Put it near what sends requests, or in a header with `compact`.',
    'Use `data-status` for your own styles of a state: that of the quota, or `connection` or `service` while requests fail.',
  ],
  donts: [
    'Hide the text of the state: color would be the only difference.',
    'Build a countdown of your own on a timer. `useRateLimit` has `retryAt`, and renders again only when the state changes.',
  ],
  labels: 'rateLimitBadge',
  alsoShows: [],
}
