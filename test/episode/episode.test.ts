import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawEpisode } from './drawEpisode.ts'
import { playEpisode } from './playEpisode.ts'

test('the picture of the guide shows what the gate does', async () => {
  const episode = await playEpisode()
  expect(episode.succeeded).toBe(200)
  expect(drawEpisode(episode)).toBe(readFileSync('docs/how-the-gate-works.svg', 'utf8'))
})

test('the guide names the times at which requests leave', async () => {
  const guide = readFileSync('docs/how-the-gate-works.md', 'utf8')
  const { requests } = await playEpisode()
  const rows = requests.map(({ at, count, status }) => `| ${(at / 1_000).toFixed(2)} s | ${count} | ${status} |`)
  expect(rows.filter((row) => !guide.includes(row))).toEqual([])
})
