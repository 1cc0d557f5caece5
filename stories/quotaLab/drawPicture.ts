import { chartSize, layOutDots, scaleFor } from './requestDots.ts'
import type { SimulationResult } from './simulate.ts'
import { summarize } from './summarize.ts'

interface PictureSubject {
  readonly headline: string
  readonly description: string
  readonly lanes: readonly { readonly title: string; readonly result: SimulationResult }[]
}

const width = 1_200
const margin = 56
const top = 190
const laneHeight = 176
const chartLeft = 400
const chartZoom = (width - chartLeft - margin) / chartSize.width

/** Draws what the lab shows, with the colors of the page. */
export async function drawPicture(lab: HTMLElement, subject: PictureSubject): Promise<Blob> {
  const { headline, description, lanes } = subject
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: width * 2, height: (top + lanes.length * laneHeight + margin / 2) * 2 })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures.')
  const color = colorsOf(lab)
  const { fontFamily } = getComputedStyle(lab)
  const write = (text: string, x: number, y: number, font: string, tone = '--petstore-text') => {
    context.font = `${font} ${fontFamily}`
    context.fillStyle = color(tone)
    context.fillText(text, x, y)
  }
  context.scale(2, 2)
  context.fillStyle = color('--petstore-surface')
  context.fillRect(0, 0, width, canvas.height)
  // A sentence a line: each of them fits.
  for (const [index, sentence] of headline.split(/(?<=\.) /).entries()) {
    write(sentence, margin, 82 + index * 44, '600 34px')
  }
  write(description, margin, 164, '400 20px', '--petstore-text-muted')

  const scale = scaleFor(lanes.map(({ result }) => result))
  for (const [index, { title, result }] of lanes.entries()) {
    const y = top + index * laneHeight
    const { risk, verdict, isSuccess } = summarize(result)
    const tone = risk === 'banned' ? '--lab-banned' : isSuccess ? '--lab-succeeded' : '--petstore-text'
    write(title, margin, y + 54, '600 20px')
    write(`${result.successes} of ${result.calls}`, margin, y + 100, '600 40px', tone)
    write(verdict, margin, y + 130, '600 18px', tone)
    context.save()
    context.translate(chartLeft, y + 26)
    context.scale(chartZoom, chartZoom)
    const { paths, baseline } = layOutDots(result.requests, scale)
    context.fillStyle = color('--petstore-border')
    context.fillRect(0, baseline, chartSize.width, 1)
    for (const { fate, path } of paths) {
      context.fillStyle = color(`--lab-${fate}`)
      context.fill(new Path2D(path))
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
