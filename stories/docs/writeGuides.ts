/** `npm run guides`: writes the guides into `docs` after a change of a page of the playground. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readApi } from '../../.storybook/readApi.ts'
import { guideFiles, guideMarkdown, readHookPages } from './guideMarkdown.ts'

const guides = guideFiles.map((name) => readFileSync(`stories/docs/${name}`, 'utf8'))
mkdirSync('docs/components', { recursive: true })
const files = guideMarkdown(guides, readApi('src'), readHookPages('stories/docs'))
for (const [path, text] of Object.entries(files)) writeFileSync(`docs/${path}`, text)
