/** The sections of a component's docs page, by the ids of their headings. */
export const sections = {
  examples: 'Examples',
  props: 'Props',
  anatomy: 'Anatomy',
  keyboard: 'Keyboard',
  spoken: 'What is spoken',
  advice: "Do and don't",
  words: 'Default words',
} as const

/** The id of the row about a prop. */
export const propId = (name: string): string => `prop-${name}`

/** The id of the heading above a picture. */
export const sceneId = (title: string): string => `anatomy-${title.toLowerCase().replaceAll(/\W+/g, '-')}`
