import { expect, test } from 'vitest'
import { figuresOf, missesOf } from './report.ts'
import { runPair } from './runWorld.ts'
import { worlds } from './worlds.ts'

/** Worlds that take long and are much like others. Only `npm run bench -- calm` runs them, and more seeds of all. */
const onlyInBench =
  /^(healthy|lost connection|500|bare 503, [24]0|bare 503 for 1|1 of 6|behind the handler.* no response|Retry-After: 600 on the 503|service clock)/
const tested = worlds.filter(({ name }) => !onlyInBench.test(name))

test.each(tested.map((world) => [world.name, world] as const))('the kit keeps its goal: %s', async (_, world) => {
  const figures = figuresOf([await runPair(world, world.seeds ?? 1)])
  expect(figures.succeededInPlain).toBeGreaterThan(0)
  expect(missesOf(world, figures)).toEqual([])
})
