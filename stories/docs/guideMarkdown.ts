import { readFileSync } from 'node:fs'
import { fieldsOf } from '../../.storybook/fieldsOf.ts'
import type { Api, ApiEntry, ApiMember } from '../../.storybook/readApi.ts'
import { en } from '../../src/labels/en.ts'
import { formatsFor } from '../../src/labels/formats.ts'
import { allFacts } from './components/allFacts.ts'
import type { ComponentFacts } from './components/ComponentFacts.ts'
import { labelRows } from './components/labelRows.ts'
import { describePart, nativeProps, startOf } from './components/parts.ts'
import { sections } from './components/sections.ts'
import { conformanceSummary, readConformanceReport } from './conformanceReport.ts'
import { errorKinds } from './errorKindRows.ts'
import { resolveColor } from './readTokens.ts'
import { readTokenSets } from './tokenSets.ts'

/** Markdown files by their paths below `docs`. */
export type MarkdownFiles = Readonly<Record<string, string>>

/** What a guide's `Meta` says. */
interface GuideMeta {
  readonly title: string
  readonly file: string
}

const note = '<!-- Written by `npm run guides` from the pages of the playground. -->'

/** The guide that the pages of all hooks follow in one file. */
const hooksFile = 'hooks.md'

/**
 * The guides and the facts about components as Markdown, for the package.
 *
 * @param guides - the text of each MDX file below `Guides`, in the order of the sidebar
 * @param hooks - the text of each MDX file below `Hooks`
 * @throws Error for a component in a guide that has no Markdown
 */
export function guideMarkdown(guides: readonly string[], api: Api, hooks: readonly string[] = []): MarkdownFiles {
  const metas = guides.map(metaOf)
  const components = Object.entries(allFacts)
  const pages = new Map([
    ...metas.map(({ file }) => [`guides-${file.replace('.md', '')}`, file] as const),
    ...hooks.map(
      (text) => [`hooks-${titleOf(text).toLowerCase()}`, `${hooksFile}#${titleOf(text).toLowerCase()}`] as const,
    ),
    ...components.map(([name]) => [name.toLowerCase(), `components/${name}.md`] as const),
  ])
  const list = [
    ...metas.map(({ title, file }) => `- [${title}](${file})`),
    '',
    'Each component, with its parts, keys, speech and labels:',
    '',
    ...components.map(([name]) => `- [${name}](components/${name}.md)`),
  ]
  return {
    'README.md': `${note}\n\n# Guides\n\n${list.join('\n')}\n`,
    ...Object.fromEntries(
      guides.map((text, index) => {
        const file = metas[index]?.file
        const parts = file === hooksFile ? [text, ...withoutRepeatedTables(hooks, api).map(lowerHeadings)] : [text]
        return [file, toMarkdown(parts.join('\n\n'), api, pages)]
      }),
    ),
    ...Object.fromEntries(
      components.map(([name, facts]) => [`components/${name}.md`, componentMarkdown(name, facts, api)]),
    ),
  }
}

function metaOf(mdx: string): GuideMeta {
  const [, title = '', id = ''] = /<Meta title="Guides\/([^"]+)" id="guides-([^"]+)" \/>/.exec(mdx) ?? []
  if (id === '') throw new Error('A guide has no Meta with a title and an id.')
  return { title, file: `${id}.md` }
}

const titleOf = (mdx: string) => /^# (.+)$/m.exec(mdx)?.[1] ?? ''

/** A page as a part of another: its title becomes a heading there. A line of code begins with no `#`. */
const lowerHeadings = (mdx: string) => mdx.replaceAll(/^(#+ )/gm, '#$1')

/** Hooks share their options and results: what an earlier hook has in a table, later ones do not repeat. */
function withoutRepeatedTables(pages: readonly string[], api: Api): string[] {
  const tables: { readonly owner: string; readonly rows: readonly string[] }[] = []
  const rowsOf = (of: string) => fieldsOf(of, api).map(rowOf)
  return pages.map((page) =>
    page.replaceAll(/^<Fields of="(\w+)" \/>$/gm, (block, of: string) => {
      const rows = rowsOf(of)
      const known = tables.find((table) => table.rows.length > 0 && table.rows.every((row) => rows.includes(row)))
      tables.push({ owner: titleOf(page), rows })
      if (!known) return block
      const reference = `hose of [\`${known.owner}\`](#${known.owner.toLowerCase()}).`
      if (rows.length === known.rows.length) return `T${reference}`
      return `${fieldsTable(of, api, (row) => !known.rows.includes(row))}\n\nAnd t${reference}`
    }),
  )
}

const rowOf = ({ name, description }: ApiMember) => `${name}: ${description}`

/** The Markdown files by the ids of their pages in the playground, some with a heading. */
type Pages = ReadonlyMap<string, string>

/** What stands between these comments is for readers of the playground alone: the package does not have it. */
const onlyInPlayground = /\s*\{\/\* playground \*\/\}.*?\{\/\* end \*\/\}/gs

function toMarkdown(mdx: string, api: Api, pages: Pages): string {
  // What stands in a code block is no component and no import of the page.
  const parts = mdx.replaceAll(onlyInPlayground, '').split(/(^```.*?^```$)/ms)
  const text = parts.map((part) => (part.startsWith('```') ? part : replaceBlocks(part, api, pages))).join('')
  return `${note}\n\n${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

const replaceBlocks = (text: string, api: Api, pages: Pages): string =>
  text
    .replaceAll(/^import .*$/gm, '')
    // Boxes around what the page shows.
    .replaceAll(/^<\/?div[^>]*>$/gm, '')
    .replaceAll(/^ *<(\w+)([^>]*)\/>$/gm, (_, name: string, props: string) => blockMarkdown(name, props, api))
    .replaceAll(/\[([^\]]+)\]\(\?path=([^)]+)\)/g, (_, label: string, path: string) => linkMarkdown(label, path, pages))

/** The Markdown of a component that stands in a line of its own. */
function blockMarkdown(name: string, props: string, api: Api): string {
  const [, of = ''] = / of="(\w+)"/.exec(props) ?? []
  switch (name) {
    case 'Meta':
      return ''
    case 'Fields':
      return fieldsTable(of, api)
    case 'Signature':
      return signatureMarkdown(entryOf(of, api))
    case 'ErrorKinds':
      return table(errorKinds.head, errorKinds.rows)
    case 'ConformanceTables':
      return conformanceMarkdown()
    case 'ColorTokens':
      return tokenTables().colors
    case 'OtherTokens':
      return tokenTables().others
    default:
      throw new Error(`The Markdown of the guides cannot show <${name} />. Add it to stories/docs/guideMarkdown.ts.`)
  }
}

function conformanceMarkdown(): string {
  const report = readConformanceReport(readFileSync('accessibility/openacr.yaml', 'utf8'))
  const tables = report.tables.map(
    ({ title, results }) =>
      `## ${title}\n\n${table(
        ['Criterion', 'Level', 'Remarks'],
        results.map(({ number, name, level, notes }) => [`${number} ${name}`, level, notes]),
      )}`,
  )
  return [report.notes, report.methods, `**${conformanceSummary(report)}** (${report.date})`, ...tables].join('\n\n')
}

/** The design tokens and their values. `tokens.json` has them too, as values of its own format. */
function tokenTables(): { readonly colors: string; readonly others: string } {
  const { usual, highContrast, compact, spacious } = readTokenSets(readFileSync('src/components/tokens.css', 'utf8'))
  const code = (text: string) => `\`${text}\``
  const isColor = (name: string) => resolveColor(usual.get(name) ?? '', 'light', usual) !== undefined
  const names = [...usual.keys()]
  const themes = [usual, highContrast].flatMap((tokens) =>
    (['light', 'dark'] as const).map(
      (scheme) => (name: string) => resolveColor(tokens.get(name) ?? '', scheme, tokens),
    ),
  )
  const densities = [usual, compact, spacious].map((tokens) => (name: string) => tokens.get(name))
  const rows = (chosen: readonly string[], columns: readonly ((name: string) => string | undefined)[]) =>
    chosen.map((name) => [code(`--petstore-${name}`), ...columns.map((valueOf) => code(valueOf(name) ?? ''))])
  return {
    colors: table(
      ['Token', 'Light', 'Dark', 'High contrast, light', 'High contrast, dark'],
      rows(names.filter(isColor), themes),
    ),
    others: table(
      ['Token', 'Regular', 'Compact', 'Spacious'],
      rows(
        names.filter((name) => !isColor(name)),
        densities,
      ),
    ),
  }
}

/** @throws Error for a link to a page that the package lacks */
function linkMarkdown(label: string, path: string, pages: Pages): string {
  const [, id = '', hash = ''] = /^\/docs\/([\w-]+)--docs(#[\w-]+)?$/.exec(path) ?? []
  const file = pages.get(id)
  if (!file) {
    throw new Error(`The package has no page for [${label}](${path}): put it between "playground" and "end" comments.`)
  }
  return `[${label}](${hash ? file.replace(/#.*/, '') : file}${hash})`
}

function entryOf(name: string, api: Api): ApiEntry {
  const entry = api[name]
  if (!entry) throw new Error(`The source exports no ${name}.`)
  return entry
}

function fieldsTable(of: string, api: Api, isShown: (row: string) => boolean = () => true): string {
  const fields = fieldsOf(of, api).filter((field) => isShown(rowOf(field)))
  const rows = fields.map(({ name, type, isOptional, description }) => [
    `\`${name}${isOptional ? '?' : ''}\``,
    type && `\`${type}\``,
    description,
  ])
  return table(['Name', 'Type', 'Description'], rows)
}

function signatureMarkdown({ description, signatures, throws }: ApiEntry): string {
  const code = signatures.map((signature) => `\`\`\`ts\n${signature}\n\`\`\``)
  // One line of the source, with its list.
  const text = description.replace(/ - (?=`)/, '\n\n- ').replaceAll(/ - (?=`)/g, '\n- ')
  return [text, ...code, ...throws.map((failure) => `Throws ${failure}.`)].join('\n\n')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

/** A vertical bar would begin the next cell. */
const cell = (text: string) => text.replaceAll('|', String.raw`\|`)

function componentMarkdown(name: string, facts: ComponentFacts, api: Api): string {
  const { scenes, keys, spoken, dos, donts, labels, alsoShows, partsType } = facts
  const parts = scenes.flatMap((scene) => [
    `${scene.title}:\n`,
    ...scene.parts.map(
      (part, index) => `${startOf(scene, facts) + index}. \`${part}\`: ${describePart(part, facts, api)}`,
    ),
    '',
  ])
  const words =
    labels &&
    table(
      ['Label', 'Text', 'When'],
      labelRows(labels, api).map((row) => [`\`${row.name}\``, row.text, row.description]),
    )
  const others = alsoShows.map((other) => `[${other}](${other}.md)`).join(', ')
  return `${[
    note,
    `# ${name}`,
    entryOf(name, api).description,
    `## ${sections.props}`,
    fieldsTable(`${name}Props`, api),
    nativeProps(name, api),
    `## ${sections.anatomy}`,
    `The parts are the fields of \`${partsType}\`.`,
    parts.join('\n').trim(),
    `## ${sections.keyboard}`,
    table(
      ['Keys', 'What they do'],
      keys.map((fact) => [fact.keys, fact.text]),
    ),
    `## ${sections.spoken}`,
    table(
      ['When', 'Words'],
      spoken.map(({ text, says }) => [text, says ? says(en, formatsFor(en.locale)) : '']),
    ),
    `## ${sections.advice}`,
    ['Do:\n', ...dos.map((item) => `- ${item}`)].join('\n'),
    ["Don't:\n", ...donts.map((item) => `- ${item}`)].join('\n'),
    `## ${sections.words}`,
    ...(words ? ['Names in braces stand for arguments, and numbers are examples.', words] : []),
    ...(others ? [`It shows the words of ${others}${words ? ' too' : ''}.`] : []),
  ].join('\n\n')}\n`
}

/** Reads the pages of the hooks, in the order of the table in `Hooks.mdx`. */
export function readHookPages(folder: string): string[] {
  const guide = readFileSync(`${folder}/Hooks.mdx`, 'utf8')
  const names = new Set(Array.from(guide.matchAll(/\[`(\w+)`\]\(\?path=\/docs\/hooks-/g), ([, name = '']) => name))
  return [...names].map((name) => readFileSync(`${folder}/hooks/${name}.mdx`, 'utf8'))
}

/** The MDX files below `Guides`, by the names of the files, in the order of the sidebar. */
export const guideFiles: readonly string[] = [
  'Start.mdx',
  'Frameworks.mdx',
  'Hooks.mdx',
  'OwnOperations.mdx',
  'Recipes.mdx',
  'RateLimits.mdx',
  'Errors.mdx',
  'KeysAndSecurity.mdx',
  'ServerRendering.mdx',
  'Testing.mdx',
  'DeveloperTools.mdx',
  'Theming.mdx',
  'Accessibility.mdx',
  'Conformance.mdx',
]
