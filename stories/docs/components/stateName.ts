/** Other words by which people search for a state. */
const otherNames: Readonly<Record<string, string>> = {
  'In dialog': 'modal',
  'Multiple selection': 'checkboxes',
  'Right to left': 'RTL',
  Sending: 'spinner',
}

/**
 * The name of a story with one capital letter: "Waiting for connection" instead of "Waiting For Connection", which Storybook
 * makes of the export's name. A name that the author of a story has written stays.
 */
export function stateName(name: string): string {
  if (!/^(?:[A-Z0-9][a-z0-9]* ?)+$/.test(name)) return name
  const sentence = name.charAt(0) + name.slice(1).toLowerCase()
  return sentence in otherNames ? `${sentence} (${otherNames[sentence]})` : sentence
}
