/** What else people call a state: they search for that. */
const otherNames: Readonly<Record<string, string>> = {
  'In dialog': 'modal',
  'Multiple selection': 'checkboxes',
  'Right to left': 'RTL',
  Sending: 'spinner',
}

/**
 * The name of a story as a sentence: "Waiting For Connection", which Storybook makes of the name of an export, as "Waiting
 * for connection". A name that an author has written stays.
 */
export function stateName(name: string): string {
  if (!/^(?:[A-Z0-9][a-z0-9]* ?)+$/.test(name)) return name
  const sentence = name.charAt(0) + name.slice(1).toLowerCase()
  return sentence in otherNames ? `${sentence} (${otherNames[sentence]})` : sentence
}
