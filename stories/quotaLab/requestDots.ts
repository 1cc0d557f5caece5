import type { RequestFate, SimulatedRequest, SimulationResult } from './simulate.ts'

/** The size of a chart, in units of its `viewBox`. */
export const chartSize = { width: 560, height: 104 } as const

/** How many columns a chart has. The requests of a column stand on each other. */
const columns = 40
const columnWidth = chartSize.width / columns
/** The space between the dots of two columns. */
const columnGap = 2
const maxDotSize = 12

/** One scale for all charts: a request has the same size in each of them. */
export interface DotScale {
  /** How much time a chart shows, in ms. */
  readonly duration: number
  /** The side of the square that a request takes. */
  readonly dotSize: number
}

/** Finds the largest dots with which every chart fits into its height. */
export function scaleFor(results: readonly Pick<SimulationResult, 'requests' | 'duration'>[]): DotScale {
  const duration = Math.max(10_000, ...results.map((result) => result.duration))
  const heights = results.map(({ requests }) => {
    const stacks = stacksOf(requests, duration)
    return { up: maxDots(stacks, true), down: maxDots(stacks, false) }
  })
  const fits = (size: number) =>
    heights.every(({ up, down }) => (rowsOf(up, size) + rowsOf(down, size)) * size < chartSize.height - 4)
  let dotSize = maxDotSize
  while (dotSize > 0.25 && !fits(dotSize)) dotSize -= 0.25
  return { duration, dotSize }
}

export interface Dots {
  /** The dots of each fate, as the path of an SVG. */
  readonly paths: readonly { readonly fate: RequestFate; readonly path: string }[]
  /** How far the line is from the top. Above it is what got through, and below it what did not. */
  readonly baseline: number
}

/** Places one dot for each request. */
export function layOutDots(requests: readonly SimulatedRequest[], { duration, dotSize }: DotScale): Dots {
  const perRow = dotsPerRow(dotSize)
  const stacks = stacksOf(requests, duration)
  const baseline = chartSize.height - 2 - rowsOf(maxDots(stacks, false), dotSize) * dotSize
  const side = dotSize > 2 ? dotSize - 0.75 : dotSize * 0.85
  const paths = new Map<RequestFate, string>()
  for (const [column, stack] of stacks.entries()) {
    let up = 0
    let down = 0
    for (const { fate } of stack) {
      const index = isAbove(fate) ? up++ : down++
      const row = Math.floor(index / perRow)
      const x = column * columnWidth + columnGap / 2 + (index % perRow) * dotSize
      const y = isAbove(fate) ? baseline - (row + 1) * dotSize - 1 : baseline + row * dotSize + 2
      paths.set(fate, `${paths.get(fate) ?? ''}M${round(x)} ${round(y)}h${round(side)}v${round(side)}h-${round(side)}z`)
    }
  }
  return { paths: [...paths].map(([fate, path]) => ({ fate, path })), baseline }
}

const isAbove = (fate: RequestFate) => fate === 'succeeded'
const round = (length: number) => Math.round(length * 100) / 100
const dotsPerRow = (size: number) => Math.max(1, Math.floor((columnWidth - columnGap) / size))
const rowsOf = (dots: number, size: number) => Math.ceil(dots / dotsPerRow(size))

type Stacks = readonly (readonly SimulatedRequest[])[]

const maxDots = (stacks: Stacks, aboveLine: boolean) =>
  Math.max(0, ...stacks.map((stack) => stack.filter(({ fate }) => isAbove(fate) === aboveLine).length))

/** The requests of each column, in the order of time. */
function stacksOf(requests: readonly SimulatedRequest[], duration: number): Stacks {
  const stacks: SimulatedRequest[][] = Array.from({ length: columns }, () => [])
  for (const request of requests) {
    stacks[Math.min(columns - 1, Math.floor((request.at / duration) * columns))]?.push(request)
  }
  return stacks
}
