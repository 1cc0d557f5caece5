import type { Episode, RequestGroup } from './playEpisode.ts'

const width = 960
const height = 320
const left = 56
const right = 16
const top = 64
const bottom = 268
/** Of the quota of a window. */
const maxCount = 60
const barWidth = 7
const colors = { succeeded: '#0969da', refused: '#cf222e', usedUp: '#fff8c5', cooldown: '#ffebe9', line: '#59636e' }

/** Draws an episode as an SVG: how many requests leave when, and what they wait for in between. */
export function drawEpisode({ requests, cooldown, windowEnds, succeeded }: Episode): string {
  const refused = countOf(requests, true)
  const duration = Math.max(...requests.map(({ at }) => at)) + 8_000
  const x = (ms: number) => round(left + (ms / duration) * (width - left - right))
  const y = (count: number) => round(bottom - (count / maxCount) * (bottom - top))
  const band = (from: number, until: number, fill: string, label: string) => [
    `<rect x="${x(from)}" y="${top}" width="${round(x(until) - x(from))}" height="${bottom - top}" fill="${fill}"/>`,
    text(x((from + until) / 2), top + 18, label, 'middle'),
  ]
  const [first = 0, , third = 0] = windowEnds
  const opened = (end: number) => requests.find(({ at }) => at > end)?.at ?? end
  const usedUpAt = (end: number) => Math.max(0, ...requests.filter(({ at }) => at < end).map(({ at }) => at))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="12">`,
    '<title id="t">200 calls under a limit of 60 a minute</title>',
    `<desc id="d">${describe(requests, refused, succeeded)}</desc>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 24, '200 calls under a limit of 60 a minute', 'start', 'font-size="16" font-weight="600"'),
    text(left, 44, `${succeeded} succeed, ${refused} requests are refused once, no request leaves in the cool-down`),
    ...band(usedUpAt(first), opened(first), colors.usedUp, 'window used up'),
    ...band(cooldown.from, cooldown.until, colors.cooldown, 'cool-down'),
    ...band(usedUpAt(third), opened(third), colors.usedUp, 'window used up'),
    ...[0, 20, 40, 60].flatMap((count) => [
      `<path d="M${left} ${y(count)}H${width - right}" stroke="${colors.line}" stroke-opacity="0.25"/>`,
      text(left - 8, y(count) + 4, String(count), 'end'),
    ]),
    ...windowEnds.map(
      (end) => `<path d="M${x(end)} ${top}V${bottom}" stroke="${colors.line}" stroke-dasharray="3 4"/>`,
    ),
    ...stacked(requests).map(
      ({ at, from, count, status }) =>
        `<rect x="${round(x(at) + (count === 1 ? -barWidth : 0))}" y="${y(from + count)}" width="${barWidth}" height="${round(y(from) - y(from + count))}" fill="${status < 400 ? colors.succeeded : colors.refused}"/>`,
    ),
    ...requests.flatMap(({ at, count }) => (count === 1 ? [text(x(at) - barWidth, y(1) - 6, '1', 'middle')] : [])),
    ...[0, 60, 120].map((seconds) => text(x(seconds * 1_000), bottom + 20, `${seconds} s`, 'middle')),
    ...legend(),
    '</svg>',
    '',
  ].join('\n')
}

function countOf(requests: readonly RequestGroup[], isRefused: boolean): number {
  return requests.reduce((sum, { status, count }) => sum + (status >= 400 === isRefused ? count : 0), 0)
}

/** Puts groups that left at the same moment on top of each other. */
function stacked(requests: readonly RequestGroup[]): readonly (RequestGroup & { readonly from: number })[] {
  const heights = new Map<number, number>()
  return requests.map((group) => {
    const from = heights.get(group.at) ?? 0
    heights.set(group.at, from + group.count)
    return { ...group, from }
  })
}

function legend(): string[] {
  const entries = [
    [colors.succeeded, 'requests that succeed'],
    [colors.refused, 'refused with 429'],
  ] as const
  const swatches = entries.flatMap(([fill, label], index) => [
    `<rect x="${left + index * 170}" y="${bottom + 34}" width="10" height="10" fill="${fill}"/>`,
    text(left + 16 + index * 170, bottom + 43, label),
  ])
  return [...swatches, text(left + 340, bottom + 43, 'dashed: a window of the service ends')]
}

function describe(requests: readonly RequestGroup[], refused: number, succeeded: number): string {
  const groups = requests.map(
    ({ at, status, count }) => `${count} at ${at / 1_000} s ${status < 400 ? 'succeed' : 'are refused'}`,
  )
  return `Requests: ${groups.join(', ')}. In all, ${succeeded} calls succeed and ${refused} requests are refused.`
}

function text(x: number, y: number, content: string, anchor = 'start', more = ''): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#1f2328" ${more}>${content}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
