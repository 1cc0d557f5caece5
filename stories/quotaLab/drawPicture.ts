import { layOutDots, scaleFor } from './requestDots.ts'
import type { SimulationResult } from './simulate.ts'
import { summarize } from './summarize.ts'

interface PictureSubject {
  readonly headline: string
  readonly description: string
  readonly lanes: readonly { readonly title: string; readonly result: SimulationResult }[]
  /** How much time the charts show, in ms. */
  readonly duration: number
}

const width = 1_200
const margin = 56
const laneHeight = 124
/** Above a chart. */
const flagHeight = 26
const chart = { left: 400, width: width - 400 - margin, height: 96 }

/** Draws the end of the lab, with the colors of the page. */
export async function drawPicture(lab: HTMLElement, subject: PictureSubject): Promise<Blob> {
  const { headline, description, lanes, duration } = subject
  const canvas = document.createElement('canvas')
  const top = 200
  Object.assign(canvas, { width: width * 2, height: (top + lanes.length * (laneHeight + 20) + margin - 20) * 2 })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures.')
  const color = colorsOf(lab)
  const font = (weight: number, size: number) => `${weight} ${size}px ${getComputedStyle(lab).fontFamily}`
  context.scale(2, 2)
  context.fillStyle = color('--petstore-surface')
  context.fillRect(0, 0, width, canvas.height)
  context.fillStyle = color('--petstore-text')
  context.font = font(600, 34)
  const lines = wrap(context, headline, width - 2 * margin)
  for (const [index, line] of lines.entries()) context.fillText(line, margin, 82 + index * 44)
  context.fillStyle = color('--petstore-text-muted')
  context.font = font(400, 20)
  context.fillText(description, margin, 90 + lines.length * 40)

  const scale = scaleFor(
    lanes.map(({ result }) => result.requests),
    { duration, width: chart.width, height: chart.height },
  )
  for (const [index, { title, result }] of lanes.entries()) {
    const y = top + index * (laneHeight + 20)
    const { risk, verdict, isSuccess, bannedAt } = summarize(result)
    const tone = risk === 'banned' ? '--lab-banned' : isSuccess ? '--lab-succeeded' : '--petstore-text'
    context.fillStyle = color('--petstore-text')
    context.font = font(600, 20)
    context.fillText(title, margin, y + 18)
    context.fillStyle = color(tone)
    context.font = font(600, 40)
    context.fillText(`${result.successes.length} of ${result.calls}`, margin, y + 64)
    context.font = font(600, 18)
    context.fillText(verdict, margin, y + 94)
    context.save()
    context.translate(chart.left, y + flagHeight)
    const { paths, baseline } = layOutDots(result.requests, scale)
    context.fillStyle = color('--petstore-border')
    context.fillRect(0, baseline, chart.width, 1)
    for (const { fate, path } of paths) {
      context.fillStyle = color(`--lab-${fate}`)
      context.fill(new Path2D(path))
    }
    if (bannedAt !== undefined) {
      const x = (bannedAt / duration) * chart.width
      context.fillStyle = color('--lab-banned')
      context.font = font(600, 15)
      const flagWidth = context.measureText('Key banned').width + 20
      const left = x + flagWidth > chart.width ? x - flagWidth : x
      context.fillRect(x, -flagHeight, 2, chart.height + flagHeight)
      context.fillRect(left, -flagHeight, flagWidth, flagHeight)
      context.fillStyle = color('--lab-on-banned')
      context.fillText('Key banned', left + 10, -flagHeight / 2 + 5)
    }
    context.restore()
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('This browser makes no picture.'))), 'image/png')
  })
}

/** Custom properties may be `light-dark()`: an element tells what they are now. */
function colorsOf(lab: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = lab.appendChild(document.createElement('i'))
    probe.style.color = `var(${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}

function wrap(context: CanvasRenderingContext2D, text: string, maxWidth: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && context.measureText(longer).width > maxWidth) lines.push(word)
    else lines.splice(-1, 1, longer)
  }
  return lines
}
