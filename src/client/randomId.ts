/** Unique enough to tell requests of all tabs apart. Not for secrets. */
export function randomId(random: () => number = Math.random): string {
  return random().toString(36).slice(2) + random().toString(36).slice(2)
}
