/** Writes the pictures of README with few colors each, as they are in the package. Run it after new stored pictures. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const folder = 'docs/pictures'

await mkdir(folder, { recursive: true })
const readme = await readFile('README.md', 'utf8')
for (const [, name = ''] of readme.matchAll(/\]\(docs\/pictures\/([\w-]+\.png)\)/g)) {
  // Few colors make small files, but in the dark picture they would lose the green of an icon. Without dithering, which
  // would make text grainy and the file larger.
  const options = {
    palette: true,
    colors: name.includes('dark') ? 256 : 16,
    dither: 0,
    effort: 10,
    compressionLevel: 9,
  }
  await sharp(join('test/pictures/stored', name)).png(options).toFile(join(folder, name))
}
