import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '../..')
const differencesFolder = join(import.meta.dirname, 'differences')

/**
 * The same browser draws the same pixels, but processors round the edges of letters in different ways. Colors that are at
 * most this many of 255 steps apart count as equal, and this many pixels may differ by more.
 */
const tolerance = { steps: 5, pixels: 10 }

/**
 * Returns a message if a picture differs from the stored one. Works like a snapshot of Vitest: `-u` updates the stored
 * picture, and a missing one is stored unless `CI` is set.
 *
 * @param page - any page: its browser decodes the pictures
 * @param path - of the stored picture, from the root of the repository. As `.webp` it has the same pixels in fewer bytes
 */
export async function comparePicture(page: Page, path: string, taken: Buffer): Promise<string | undefined> {
  const storedFile = join(root, path)
  const update = expect.getState().snapshotState.snapshotUpdateState
  const isStored = existsSync(storedFile)
  if (!isStored && update === 'none') return `There is no ${path} to compare with.`

  const difference = isStored ? await compare(page, await readFile(storedFile), taken) : undefined
  if (isStored && !difference) return undefined // also with -u: an unchanged picture needs no commit
  if (update === 'all' || !difference) {
    await mkdir(dirname(storedFile), { recursive: true })
    const isWebp = extname(path) === '.webp'
    await writeFile(storedFile, isWebp ? await sharp(taken).webp({ lossless: true, effort: 6 }).toBuffer() : taken)
    return undefined
  }

  const name = basename(path, extname(path))
  const takenFile = join(differencesFolder, `${name}.png`)
  const differenceFile = join(differencesFolder, `${name}.difference.png`)
  await mkdir(differencesFolder, { recursive: true })
  await writeFile(takenFile, taken)
  await writeFile(differenceFile, difference.picture)
  const files = [path, ...[takenFile, differenceFile].map((file) => relative(root, file))]
  return `${difference.pixels} pixels have changed. Stored, taken, difference:\n${files.join('\n')}`
}

interface Difference {
  readonly pixels: number
  /** Black where the pictures are equal, red where they are not. */
  readonly picture: Buffer
}

/** Returns `undefined` for equal pictures. Pixels that only one of them has count as different. */
async function compare(page: Page, stored: Buffer, taken: Buffer): Promise<Difference | undefined> {
  // Browsers decode a WebP with this type, too, because they look at the content.
  const pictures = [stored, taken].map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  const { pixels, picture } = await page.evaluate(findDifferences, { pictures, steps: tolerance.steps })
  if (pixels <= tolerance.pixels) return undefined
  return { pixels, picture: Buffer.from(picture.split(',')[1] ?? '', 'base64') }
}

/** Runs in the page. */
async function findDifferences({ pictures, steps }: { readonly pictures: readonly string[]; readonly steps: number }) {
  const images = await Promise.all(
    pictures.map(async (source) => {
      const image = Object.assign(new Image(), { src: source })
      await image.decode()
      return image
    }),
  )
  const width = Math.max(...images.map((image) => image.width))
  const height = Math.max(...images.map((image) => image.height))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser draws nothing.')
  const [before = new Uint8ClampedArray(), after = new Uint8ClampedArray()] = images.map((image) => {
    context.clearRect(0, 0, width, height)
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, width, height).data
  })
  const difference = context.createImageData(width, height)
  let pixels = 0
  for (let at = 0; at < difference.data.length; at += 4) {
    const isEqual = [0, 1, 2, 3].every((byte) => Math.abs((before[at + byte] ?? 0) - (after[at + byte] ?? 0)) <= steps)
    if (!isEqual) pixels += 1
    difference.data.set([isEqual ? 0 : 255, 0, 0, 255], at)
  }
  context.putImageData(difference, 0, 0)
  return { pixels, picture: canvas.toDataURL('image/png') }
}
