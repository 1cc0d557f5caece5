/** `node test/run.mjs stories/docs/writeTokens.ts` writes `src/tokens.json` after a change of `tokens.css`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { designTokens } from './designTokens.ts'

const tokens = designTokens(readFileSync('src/components/tokens.css', 'utf8'))
writeFileSync('src/tokens.json', `${JSON.stringify(tokens, null, 2)}\n`)
