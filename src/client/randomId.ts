/** Unique in practice, but no secret. `crypto.randomUUID` does not exist on insecure origins. */
export function randomId(random: () => number = Math.random): string {
  return random().toString(36).slice(2) + random().toString(36).slice(2)
}
