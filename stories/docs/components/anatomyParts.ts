/** The pictures of a component's page by their titles, with the parts and numbers of the list below each. */
export function anatomyParts(text: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const [, ...pieces] = text.split(/^<!-- story: anatomy of (.+) -->$/m)
  const pictures = new Map<string, ReadonlyMap<string, number>>()
  for (const [index, title] of pieces.entries()) {
    if (index % 2 === 1) continue
    const [list = ''] = (pieces[index + 1] ?? '').split(/^#/m)
    const parts = Array.from(
      list.matchAll(/^(\d+)\. `(\w+)`/gm),
      ([, number, part = '']) => [part, Number(number)] as const,
    )
    pictures.set(title, new Map(parts))
  }
  return pictures
}
