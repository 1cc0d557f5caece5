/**
 * The name of a story as a sentence: "Waiting For Connection", which Storybook makes of the name of an export, as "Waiting
 * for connection". A name that an author has written stays.
 */
export const stateName = (name: string): string =>
  /^(?:[A-Z0-9][a-z0-9]* ?)+$/.test(name) ? name.charAt(0) + name.slice(1).toLowerCase() : name
