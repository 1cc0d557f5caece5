/** Writes the pictures of README with few colors each, as they are in the package. Run it after new stored pictures. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const folder = 'docs/pictures'

await mkdir(folder, { recursive: true })
const readme = await readFile('README.md', 'utf8')
for (const [, name = ''] of readme.matchAll(/\]\(docs\/pictures\/([\w-]+)\.webp\)/g)) {
  // Few colors make small files, but the dark picture would lose the green of an icon, and the lab the amber of what was
  // refused. Without dithering, which would make text grainy and the file larger.
  const options = {
    palette: true,
    colors: /dark|quota-lab/.test(name) ? 256 : 16,
    quality: name.includes('lab') ? 60 : 90,
    dither: 0,
    effort: 10,
    compressionLevel: 9,
  }
  const picture = await sharp(join('test/pictures/stored', `${name}.png`))
    .png(options)
    .toBuffer()
  // The same pixels in three quarters of the bytes.
  await sharp(picture)
    .webp({ lossless: true, effort: 6 })
    .toFile(join(folder, `${name}.webp`))
}
