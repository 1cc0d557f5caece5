import { readdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { chromiumLaunchOptions } from '../chromium.ts'
import { comparePicture } from './comparePicture.ts'
import { type Camera, openCamera, type Picture } from './takePicture.ts'

const compact = { locale: 'ja', density: 'compact' } as const
const contrast = { theme: 'contrast' } as const
const arabic = { locale: 'ar' } as const
/** The width of a page that leaves 240 px to its story. */
const narrow = 272

/** Each picture by the name of its file. */
const pictures: Readonly<Record<string, Picture>> = {
  list: { story: 'categorylist--default' },
  'list-scripts': { story: 'categorylist--long-texts' },
  'list-loading': { story: 'categorylist--loading' },
  'list-empty': { story: 'categorylist--empty-with-action' },
  'list-failed-japanese-compact': { story: 'categorylist--failed', globals: compact },
  'list-refresh-failed': { story: 'categorylist--refresh-failed' },
  'list-no-match': { story: 'categorylist--no-match' },
  'list-pending': { story: 'categorylist--pending' },
  'list-selected-dark': { story: 'categorylist--dark-list' },
  'list-selected-contrast': { story: 'categorylist--multiple-selection', globals: contrast },
  'list-selected-forced-colors': { story: 'categorylist--multiple-selection', forcedColors: 'active' },
  'list-actions-arabic': { story: 'categorylist--actions', globals: arabic },
  'list-narrow': { story: 'categorylist--narrow', width: narrow },

  form: { story: 'categoryform--default' },
  'form-problems-contrast': { story: 'categoryform--several-problems', globals: contrast },
  'form-problems-forced-colors': { story: 'categoryform--several-problems', forcedColors: 'active' },
  'form-refused-dark': { story: 'categoryform--dark-form' },
  'form-waiting': { story: 'categoryform--waiting' },
  'form-waiting-connection': { story: 'categoryform--waiting-for-connection' },
  'form-created': { story: 'categoryform--created' },
  'form-name-missing-arabic': { story: 'categoryform--name-missing', globals: arabic },
  'form-narrow': { story: 'categoryform--narrow', width: narrow },

  'composer-outbox': { story: 'messagecomposer--several-messages' },
  'composer-outbox-dark': { story: 'messagecomposer--several-messages', globals: { theme: 'dark' } },
  'composer-waiting-contrast': { story: 'messagecomposer--waiting', globals: contrast },
  'composer-kept-in-field': { story: 'messagecomposer--kept-in-field' },
  'composer-too-long': { story: 'messagecomposer--too-long' },
  'composer-refused-arabic': { story: 'messagecomposer--right-to-left' },
  'composer-narrow': { story: 'messagecomposer--narrow', width: narrow },

  'badge-unknown': { story: 'ratelimitbadge--unknown', width: 480 },
  'badge-available': { story: 'ratelimitbadge--available', width: 480 },
  'badge-low-dark': { story: 'ratelimitbadge--low', width: 480, globals: { theme: 'dark' } },
  'badge-used-up-contrast': { story: 'ratelimitbadge--used-up', width: 480, globals: contrast },
  'badge-paused': { story: 'ratelimitbadge--paused', width: 480 },
  'badge-connection': { story: 'ratelimitbadge--cannot-reach-service', width: 480 },
  'badge-low-forced-colors': { story: 'ratelimitbadge--low', width: 480, forcedColors: 'active' },
  'badge-compact-low': { story: 'ratelimitbadge--compact-low', width: narrow },
  'badge-narrow': { story: 'ratelimitbadge--narrow', width: narrow },

  notice: { story: 'errornotice--no-connection' },
  'notice-rate-limited-contrast': { story: 'errornotice--request-limit-reached', globals: contrast },
  'notice-not-signed-in-dark': { story: 'errornotice--unauthorized', globals: { theme: 'dark' } },
  'notice-details-arabic': { story: 'errornotice--right-to-left' },
  'notice-narrow': { story: 'errornotice--narrow', width: narrow },

  'manager-narrow-japanese-compact': { story: 'categorymanager--narrow', width: narrow, globals: compact },
  'pet-shop': { story: 'pet-shop--at-work', width: 1080 },
  'pet-shop-phone-arabic-dark': { story: 'pet-shop--phone', width: 392, globals: { ...arabic, theme: 'dark' } },
  devtools: { story: 'devtools-panel--overview', width: 800 },
  'devtools-dark': { story: 'devtools-panel--overview', width: 800, globals: { theme: 'dark' } },
  'devtools-phone': { story: 'devtools-panel--overview', width: 392 },
  'devtools-forced-colors': { story: 'devtools-panel--overview', width: 800, forcedColors: 'active' },
}

/** README shows these pictures side by side. */
const small = { width: 320, height: 449 }

/** The pictures of README by the names of their files, each in light and dark, with two pixels per px. */
const readmePictures = Object.fromEntries(
  Object.entries<Picture>({
    manager: { story: 'categorymanager--creating', width: 800 },
    list: { ...small, story: 'categorylist--default' },
    form: { ...small, story: 'categoryform--request-limit-reached' },
    composer: { ...small, story: 'messagecomposer--refused' },
    'quota-lab': { story: 'quota-lab--four-tabs', width: 800, from: '.lab-head' },
  }).flatMap(([name, picture]) =>
    (['light', 'dark'] as const).map((theme) => [`${name}-${theme}`, { ...picture, globals: { theme } }]),
  ),
)

/** Flags with which the browser draws the same pixels on every processor, with every setting of the machine, under any load. */
const deterministicRendering = [
  '--disable-skia-runtime-opts',
  '--disable-partial-raster', // otherwise changes are drawn over what was there, with other edges
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

const { args = [], ...options } = await chromiumLaunchOptions()
const isPinned = !options.channel && !process.env['CHROMIUM_PATH']
if (!isPinned) console.warn('Skipped the pictures: the stored ones come from the browser of Linux x64.')

describe.skipIf(!isPinned)('pictures of the playground', () => {
  const home = inject('playground')
  let browser: Browser
  let camera: Camera
  let sharpCamera: Camera
  let blank: Page

  beforeAll(async () => {
    await fetch(home) // builds the playground
    browser = await chromium.launch({ ...options, args: [...args, ...deterministicRendering] })
    camera = await openCamera(browser, home, 1)
    sharpCamera = await openCamera(browser, home, 2)
    blank = await browser.newPage()
  }, 300_000) // a busy machine takes minutes to build the playground

  afterAll(() => browser.close())

  test.each(Object.entries(pictures))('%s', async (name, picture) => {
    const path = `test/pictures/stored/${name}.png`
    expect(await comparePicture(blank, path, await camera.take(picture))).toBeUndefined()
  })

  test.each(Object.entries(readmePictures))('README: %s', async (name, picture) => {
    const path = `docs/pictures/${name}.webp`
    expect(await comparePicture(blank, path, await sharpCamera.take(picture))).toBeUndefined()
  })
})

test.each([
  ['test/pictures/stored', Object.keys(pictures).map((name) => `${name}.png`)],
  ['docs/pictures', Object.keys(readmePictures).map((name) => `${name}.webp`)],
])('%s has the pictures of this file and nothing else', (folder, names) => {
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted())
})
