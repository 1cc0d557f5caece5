/** An id that is unique in practice. `crypto.randomUUID` does not exist on insecure origins. */
export function randomId(): string {
  const half = () => Math.random().toString(36).slice(2)
  return half() + half()
}
