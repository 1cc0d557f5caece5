import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { missingPackages } from './missingPackages.ts'
import type { scenes } from './scenes.tsx'
import { type Language, type PageServer, type Scene, servePages } from './servePages.ts'
import { repeatedSentences, sentencesOf } from './repeatedSentences.ts'
import { type Desktop, startDesktop } from './startDesktop.ts'
import { type SpokenStep, transcriptOf, withoutTimes } from './transcript.ts'

export interface Flow {
  readonly name: string
  readonly scene: keyof typeof scenes
  /** Options of the flow's service. */
  readonly service?: () => PetstoreServiceOptions
  /** Called when the page is loaded and quiet. What Orca says about the page itself is not stored. */
  readonly steps: (visit: Visit) => Promise<void>
}

/** What a flow does in a page. */
export interface Visit {
  readonly service: PetstoreService
  readonly language: Language
  readonly press: (key: string) => void
  /** Presses a key several times, as slowly as a person who listens. */
  readonly pressTimes: (key: string, times: number) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Lets the service respond only after `respond`. */
  readonly hold: () => void
  readonly respond: () => void
  /** A step that has to be spoken. */
  readonly step: (name: string, action: Action, options?: StepOptions) => Promise<void>
  /** A step that says nothing, and why that is right. */
  readonly silentStep: (name: string, action: Action, reason: string) => Promise<void>
}

type Action = () => void | Promise<void>

export interface StepOptions {
  /** How long the first word may take, in ms. */
  readonly within?: number
  /** Why the same sentence is spoken twice. */
  readonly repeats?: string
}

/** How long a step listens after the last word, in ms: the rate limit is announced a second later than the rest. */
const quietTime = 1_800
/** How long to listen after typing, in ms: the composer announces how many characters are left only after a second. */
const typingPause = 700
/** How long the first word of a step may take by default, in ms. */
const defaultWithin = 8_000
/** How long a page may take to load, in ms. */
const loadTime = 10_000
/** How long a silent step listens, in ms. */
const silentTime = 2_500

const languages = ['en', 'ar'] as const

/** Tests what a screen reader says in the flows of a component, and compares it with the component's `SPOKEN.md`. */
export function describeFlows(component: string, flows: readonly Flow[]): void {
  describe.skipIf(missingPackages.length > 0)(`${component} in Orca`, () => {
    const announcements = new Map<string, SpokenStep[]>()
    let pages: PageServer

    beforeAll(async () => {
      pages = await servePages()
    })
    afterAll(() => pages?.close())

    for (const flow of flows) {
      for (const language of languages) {
        test(`${flow.name} (${language})`, async () => {
          const steps: SpokenStep[] = []
          announcements.set(`${flow.name} ${language}`, steps)
          const latency = createLatch()
          const service = createPetstoreService({ ...flow.service?.(), latency: 1, sleep: latency.wait })
          const server = await listen(withoutReuse(service))
          let desktop: Desktop | undefined
          try {
            desktop = await openPage(pages, { name: flow.scene, language, ...server })
            const { press, type } = desktop
            const listenFor = createListener(desktop)
            await flow.steps({
              service,
              language,
              press,
              pressTimes: async (key, times) => {
                for (let count = 1; count < times; count += 1) await listenFor(() => press(key), defaultWithin, 500)
                press(key)
              },
              type: async (text) => {
                // Orca learns of typed text late. Without a pause, it takes that for a text that a script has inserted.
                await listenFor(() => type(text), 0, typingPause)
              },
              hold: latency.close,
              respond: latency.open,
              step: async (name, action, { within = defaultWithin, repeats } = {}) => {
                const spoken = await listenFor(action, within)
                steps.push({ name, spoken })
                expect.soft(spoken, `“${name}” has to be spoken`).not.toEqual([])
                const repeated = repeats === undefined ? repeatedSentences(spoken) : []
                expect.soft(repeated, `“${name}” may not repeat a sentence`).toEqual([])
              },
              silentStep: async (name, action, reason) => {
                const spoken = await listenFor(action, silentTime)
                steps.push({ name, spoken, silence: reason })
                expect.soft(spoken, `“${name}” has to be silent`).toEqual([])
              },
            })
          } finally {
            desktop?.close()
            await server.close()
          }
        })
      }
    }

    test('says what SPOKEN.md has stored', async () => {
      const path = join(import.meta.dirname, `../../src/components/${component}/SPOKEN.md`)
      const parts = flows.map(({ name }) => ({
        name,
        english: announcements.get(`${name} en`) ?? [],
        arabic: announcements.get(`${name} ar`) ?? [],
      }))
      await expect(transcriptOf(component, parts)).toMatchFileSnapshot(path)
    })
  })
}

/**
 * Starts a desktop of its own for a flow, loads the page and waits until it is quiet. Orca 43 sometimes hangs for good as
 * it starts: then another desktop is started.
 */
async function openPage(pages: PageServer, page: Scene, attempts = 3): Promise<Desktop> {
  pages.show(undefined)
  const desktop = await startDesktop(`${pages.origin}/`)
  const listenFor = createListener(desktop)
  pages.show(page)
  const isLoaded = () => desktop.spoken().join().includes('Pet shop')
  // Orca may still be busy with the page before, and then says nothing about this page: so it is loaded again.
  for (let load = 0; load < 3 && !isLoaded(); load += 1) await listenFor(() => desktop.press('alt+Home'), loadTime)
  if (isLoaded()) {
    await listenFor(() => undefined, 0)
    return desktop
  }
  desktop.close()
  if (attempts === 1) throw new Error('Orca does not read the page')
  return openPage(pages, page, attempts - 1)
}

/** Returns a function that acts, waits `within` ms for the first word, and listens until `quiet` ms are silent. */
function createListener({ spoken }: Desktop) {
  return async (action: Action, within: number, quiet = quietTime): Promise<string[]> => {
    const before = spoken().length
    const start = Date.now()
    await action()
    let count = before
    let lastTime = 0
    for (;;) {
      await pause(50)
      const now = Date.now()
      const { length } = spoken()
      if (length > count) {
        count = length
        lastTime = now
      }
      if (lastTime > 0 ? now - lastTime > quiet : now - start > Math.max(within, quiet)) break
    }
    return spoken()
      .slice(before)
      .flatMap(sentencesOf)
      .map((text) => withoutTimes(text.replace(/ ?clickable\.?$/, '')))
      .filter(isContent)
  }
}

/**
 * What Orca and Firefox say about the page and themselves. ("clickable" is removed before: Orca 43 says it of everything in
 * React's root that is not a control, because React listens to clicks there.)
 */
const noise =
  /^(Finished loading .*|Loading\.|Please wait\.|Page has .*|statusbar\.?|Start\.?|Pet shop heading level 1\.?|)$/
const isContent = (text: string) => !noise.test(text)

/**
 * Closes each connection after its response. A browser sends a POST again by itself if a connection that it reuses is lost
 * before the response, and then no response is lost.
 */
function withoutReuse(service: PetstoreService): PetstoreService {
  return {
    ...service,
    fetch: async (...request) => {
      const response = await service.fetch(...request)
      response.headers.set('Connection', 'close')
      return response
    },
  }
}

/** Holds promises back while it is closed. */
function createLatch() {
  let opened = Promise.resolve()
  let open: () => void = () => undefined
  return {
    wait: async () => opened,
    close: () => (opened = new Promise((resolve) => (open = resolve))),
    open: () => open(),
  }
}
