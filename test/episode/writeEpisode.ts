import { writeFileSync } from 'node:fs'
import { drawEpisode } from './drawEpisode.ts'
import { playEpisode } from './playEpisode.ts'

const file = 'docs/how-the-gate-works.svg'
writeFileSync(file, drawEpisode(await playEpisode()))
console.log(`Wrote ${file}.`)
