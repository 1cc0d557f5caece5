/** A heading of a page: its text, and its id in the page. */
export interface Heading {
  readonly id: string
  readonly title: string
}

/**
 * The Markdown of a file in `docs` as the playground shows it: with the text of `<!-- playground: text -->`, which is hidden
 * elsewhere. "Get started", the first page of the playground, gets the name of the package as its title.
 */
export const playgroundText = (markdown: string): string =>
  curly(
    markdown
      .replace(/^# Get started$/m, '# petstore-react')
      .replaceAll(/<!-- playground: (.*?) -->/gs, (_, text: string) => text)
      .replace(storiesOfComponent, "## Try it\n\n$1\n\n## States\n\n$2\n## Do and don't\n\n$3"),
  )

/** The stories of a component's page in their order: the one to try, those of its states, and the advice. */
const storiesOfComponent =
  /^(<!-- story: .+ -->)\n((?:<!-- story: .+ -->\n)+)(<!-- story: do: .+ -->\n<!-- story: don't: .+ -->)$/m

/** A quote, or something whose quotes stay as they are: code, a comment, a tag, the target of a link. */
const quotesAndCode = /^```.*?^```$|`+[^`]+`+|<!--.*?-->|<\/?[a-z][^>]*>|\]\([^)]*\)|["']/gms

/** Text with typographic quotes and apostrophes. */
export const curly = (text: string): string =>
  text.replaceAll(quotesAndCode, (found, offset: number) => {
    if (found === "'") return '’'
    if (found !== '"') return found
    return /^$|[\s([|*]/.test(text.charAt(offset - 1)) ? '“' : '”'
  })

/** Makes the ids of a page's headings, one after the other, as GitHub does. */
export function createSlugger(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

/** The headings of a file in `docs`. */
export function headingsOf(markdown: string): readonly Heading[] {
  const slug = createSlugger()
  const withoutCode = playgroundText(markdown).replaceAll(/^```.*?^```$/gms, '')
  return Array.from(withoutCode.matchAll(/^#+ (.+)$/gm), ([, text = '']) => ({
    id: slug(text),
    title: text.replaceAll('`', ''),
  }))
}

/** The playground's address of a link between the files in `docs`. Other links stay. */
export function playgroundAddress(href: string): string {
  const [, name, hash = ''] = /^(?!\w+:)(?:.*\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return href
  // The id of a component's page is its name, without `guides-`.
  const id = /^[A-Z][a-z]/.test(name) ? name.toLowerCase() : `guides-${name}`
  return `?path=/docs/${id}--docs${hash}`
}
