import { readFileSync } from 'node:fs'
import type { Api } from '../../.storybook/readApi.ts'
import { guideFiles, guideMarkdown, type MarkdownFiles, readHookPages } from './guideMarkdown.ts'

const skill = 'skills/petstore-react/SKILL.md'

/**
 * The files for language models on the playground's site, by their paths: `llms.txt` (llmstxt.org), and the Markdown that
 * it lists, with the paths that it has in the package.
 */
export function llmsFiles(api: Api): MarkdownFiles {
  const guides = guideMarkdown(
    guideFiles.map((name) => readFileSync(`stories/docs/${name}`, 'utf8')),
    api,
    readHookPages('stories/docs'),
  )
  const { 'README.md': _contents, ...pages } = guides
  const entries = Object.entries(pages).map(([path, text]) => ({
    path: `docs/${path}`,
    text,
    line: `- [${titleOf(text)}](docs/${path}): ${summaryOf(text)}`,
  }))
  const lines = (isComponent: boolean) =>
    entries.flatMap(({ path, line }) => (path.includes('/components/') === isComponent ? [line] : [])).join('\n')
  const sections = [
    '# petstore-react',
    `> ${summaryOf(pages['start.md'] ?? '')}`,
    'For React 18.3 and 19. The npm package contains these files at the same paths.',
    `## Guides\n\n${lines(false)}`,
    `## Components\n\n${lines(true)}`,
    `## Agents\n\n- [Skill](${skill}): when to use which hook or component, and the mistakes to avoid.`,
    '## Optional\n\n- [Changelog](CHANGELOG.md): what changed in each version.',
  ]
  return {
    'llms.txt': `${sections.join('\n\n')}\n`,
    ...Object.fromEntries(Object.entries(guides).map(([path, text]) => [`docs/${path}`, text])),
    [skill]: readFileSync(skill, 'utf8'),
    'CHANGELOG.md': readFileSync('CHANGELOG.md', 'utf8'),
  }
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? ''

/** The first sentences after the title, two at most. */
function summaryOf(markdown: string): string {
  const [, paragraph = ''] = /^# .+\n\n((?:.+\n)+)/m.exec(markdown) ?? []
  const sentences = paragraph
    .trim()
    .replaceAll('\n', ' ')
    .split(/(?<=[.:]) (?=[A-Z])/)
  // A colon leads to an example, which is not here.
  return sentences
    .filter((sentence) => sentence.endsWith('.'))
    .slice(0, 2)
    .join(' ')
}
