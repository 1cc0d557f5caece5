/** The items whose name fits one of the texts of a command line, or all if it has none. A text that fits none ends the program. */
export function choose<Item>(
  all: readonly Item[],
  texts: readonly string[],
  nameOf: (item: Item) => string,
  fits = (name: string, text: string) => name.includes(text),
): readonly Item[] {
  const mistyped = texts.find((text) => !all.some((item) => fits(nameOf(item), text)))
  if (mistyped !== undefined) {
    console.error(`There is no "${mistyped}", only:\n${all.map((item) => `  ${nameOf(item)}`).join('\n')}`)
    process.exit(1)
  }
  return texts.length === 0 ? all : all.filter((item) => texts.some((text) => fits(nameOf(item), text)))
}
