import type { RequestFate, SimulatedRequest } from './simulate.ts'

/** What became of requests, in the order in which they stand beside the line of a chart. */
export const fateTitles: Readonly<Record<RequestFate, string>> = {
  succeeded: 'got through',
  refused: 'refused (429)',
  'in-cool-down': 'sent during a cool-down',
  banned: 'sent while banned',
  failed: 'failed otherwise',
}

const fates = Object.keys(fateTitles) as RequestFate[]

/** One scale for all charts: a request has the same size in each of them. Lengths in px. */
export interface DotScale {
  /** How much time a chart shows, in ms. */
  readonly duration: number
  readonly width: number
  readonly height: number
  /** The columns of a chart: the requests of so many ms stand on each other. */
  readonly columns: number
  /** The side of the square that a request takes. */
  readonly size: number
}

const columnWidth = 14
const maxSize = 6
/** Between the dots of two columns. */
const columnGap = 2

/** Finds the largest dots with which no chart is cut off. */
export function scaleFor(
  charts: readonly (readonly SimulatedRequest[])[],
  { duration, width, height }: Pick<DotScale, 'duration' | 'width' | 'height'>,
): DotScale {
  const columns = Math.max(1, Math.floor(width / columnWidth))
  const counts = charts.map((requests) => {
    const stacks = stacksOf(requests, { duration, columns })
    const highest = (isUp: boolean) =>
      Math.max(0, ...stacks.map((stack) => stack.filter(({ fate }) => (fate === 'succeeded') === isUp).length))
    return [highest(true), highest(false)] as const
  })
  const fits = (size: number) =>
    counts.every(
      ([up, down]) => (rowsOf(up, size, width / columns) + rowsOf(down, size, width / columns)) * size < height - 4,
    )
  let size = maxSize
  while (size > 0.25 && !fits(size)) size -= 0.25
  return { duration, width, height, columns, size }
}

/** The dots of one fate, as the path of an SVG. */
interface DotPath {
  readonly fate: RequestFate
  readonly path: string
}

export interface Dots {
  readonly paths: readonly DotPath[]
  /** Where the line is, in px from the top: above it is what got through, and below it what did not. */
  readonly baseline: number
}

/** Places one dot for each request. */
export function layOutDots(requests: readonly SimulatedRequest[], scale: DotScale): Dots {
  const { width, height, columns, size } = scale
  const pitch = width / columns
  const perRow = dotsPerRow(size, pitch)
  const stacks = stacksOf(requests, scale)
  const below = Math.max(0, ...stacks.map((stack) => stack.filter(({ fate }) => fate !== 'succeeded').length))
  const baseline = height - 2 - rowsOf(below, size, pitch) * size
  const dot = size > 2 ? size - 0.75 : size * 0.85
  const paths = new Map<RequestFate, string[]>(fates.map((fate) => [fate, []]))
  for (const [column, stack] of stacks.entries()) {
    let up = 0
    let down = 0
    for (const { fate } of stack) {
      const isUp = fate === 'succeeded'
      const index = isUp ? up++ : down++
      const x = column * pitch + columnGap / 2 + (index % perRow) * size
      const row = Math.floor(index / perRow)
      const y = isUp ? baseline - (row + 1) * size - 1 : baseline + row * size + 2
      paths.get(fate)?.push(`M${round(x)} ${round(y)}h${round(dot)}v${round(dot)}h-${round(dot)}z`)
    }
  }
  return {
    paths: fates.flatMap((fate) => ({ fate, path: paths.get(fate)?.join('') ?? '' })).filter(({ path }) => path !== ''),
    baseline,
  }
}

const round = (px: number) => Math.round(px * 100) / 100
const dotsPerRow = (size: number, pitch: number) => Math.max(1, Math.floor((pitch - columnGap) / size))
const rowsOf = (dots: number, size: number, pitch: number) => Math.ceil(dots / dotsPerRow(size, pitch))

/** The requests of each column, in the order of time. */
function stacksOf(
  requests: readonly SimulatedRequest[],
  { duration, columns }: Pick<DotScale, 'duration' | 'columns'>,
): readonly (readonly SimulatedRequest[])[] {
  const stacks: SimulatedRequest[][] = Array.from({ length: columns }, () => [])
  for (const request of requests) {
    stacks[Math.min(columns - 1, Math.floor((request.at / duration) * columns))]?.push(request)
  }
  return stacks
}
