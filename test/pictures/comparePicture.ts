import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '../..')
const storedFolder = join(import.meta.dirname, 'stored')
const differencesFolder = join(import.meta.dirname, 'differences')

/**
 * The same browser draws the same pixels, but processors round the edges of letters in different ways. Colors that are
 * about five of 255 steps apart count as equal, and this many pixels may differ by more.
 */
const tolerance = { threshold: 0.02, pixels: 10 }

/** Works like a snapshot of Vitest: `-u` updates the stored picture, and a missing one is stored unless `CI` is set. */
export async function comparePicture(name: string, taken: Buffer): Promise<string | undefined> {
  const storedFile = join(storedFolder, `${name}.png`)
  const update = expect.getState().snapshotState.snapshotUpdateState
  const isStored = existsSync(storedFile)
  if (!isStored && update === 'none') return `There is no ${relative(root, storedFile)} to compare with.`

  const difference = isStored ? compare(PNG.sync.read(await readFile(storedFile)), PNG.sync.read(taken)) : undefined
  if (isStored && !difference) return undefined // also with -u: an unchanged picture needs no commit
  if (update === 'all' || !difference) {
    await mkdir(storedFolder, { recursive: true })
    await writeFile(storedFile, taken)
    return undefined
  }

  const takenFile = join(differencesFolder, `${name}.png`)
  const differenceFile = join(differencesFolder, `${name}.difference.png`)
  await mkdir(differencesFolder, { recursive: true })
  await writeFile(takenFile, taken)
  await writeFile(differenceFile, PNG.sync.write(difference.picture))
  const files = [storedFile, takenFile, differenceFile].map((file) => relative(root, file))
  return `${difference.pixels} pixels have changed. Stored, taken, difference:\n${files.join('\n')}`
}

/** Returns `undefined` for equal pictures. Pixels that only one of them has count as different. */
function compare(stored: PNG, taken: PNG): { pixels: number; picture: PNG } | undefined {
  const width = Math.max(stored.width, taken.width)
  const height = Math.max(stored.height, taken.height)
  const picture = new PNG({ width, height })
  const [before, after] = [stored, taken].map((each) => {
    const whole = new PNG({ width, height })
    PNG.bitblt(each, whole, 0, 0, each.width, each.height)
    return whole.data
  })
  if (!before || !after) return undefined
  const { threshold } = tolerance
  const pixels = pixelmatch(before, after, picture.data, width, height, { threshold, includeAA: true })
  const isSameSize = stored.width === taken.width && stored.height === taken.height
  return isSameSize && pixels <= tolerance.pixels ? undefined : { pixels, picture }
}
