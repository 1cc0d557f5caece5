import type { FrameLocator, Page } from 'playwright'
import { expect } from 'vitest'
import { initialGlobals, type ToolbarGlobals } from '../../.storybook/toolbar.ts'

type StoryEvent = 'storyFinished' | 'storyRenderPhaseChanged' | 'storyThrewException' | 'playFunctionThrewException'

interface Channel {
  readonly last: (event: StoryEvent | 'globalsUpdated') => readonly unknown[] | undefined
  readonly on: (event: StoryEvent, listener: (data: unknown) => void) => void
  readonly off: (event: StoryEvent, listener: (data: unknown) => void) => void
  readonly emit: (event: 'updateGlobals' | 'setCurrentStory' | 'forceRemount', data: object) => void
}

declare global {
  /** The part of Storybook's channel that the tests use. */
  // oxlint-disable-next-line no-underscore-dangle
  var __STORYBOOK_ADDONS_CHANNEL__: Channel | undefined
}

/** Switches off Storybook's accessibility check, which takes longer than most stories and runs in tests of its own. */
const withoutAxe = { a11y: { manual: true } }

/** Resolves when the play function of a story has ended, in the frame that shows the story. */
export async function storyFinished(frame: FrameLocator, storyId: string): Promise<void> {
  const lastFinished = () =>
    frame.locator('body').evaluate(() => {
      // oxlint-disable-next-line no-underscore-dangle
      const [last] = globalThis.__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished') ?? []
      return last
    })
  await expect.poll(lastFinished, { timeout: 60_000 }).toMatchObject({ storyId, status: 'success' })
}

/** Opens a story in a page. Resolves when its play function has ended. */
export async function openStory(page: Page, home: string, storyId: string): Promise<void> {
  await page.goto(`${home}iframe.html?id=${storyId}&viewMode=story&globals=a11y.manual:!true`)
  // oxlint-disable-next-line no-underscore-dangle
  await page.waitForFunction(() => globalThis.__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished'))
}

/**
 * Shows a story in a page in which `openStory` has opened one, as the sidebar and the toolbar do. This takes a tenth of
 * the time of a new page. Resolves when the play function has ended.
 *
 * @throws Error if the story or its play function throws
 */
export async function showStory(page: Page, storyId: string, globals: Partial<ToolbarGlobals> = {}): Promise<void> {
  const chosen = { ...initialGlobals, ...globals, ...withoutAxe }
  await page.evaluate(
    async ([id, newGlobals]) => {
      // oxlint-disable-next-line no-underscore-dangle
      const channel = globalThis.__STORYBOOK_ADDONS_CHANNEL__
      if (!channel) throw new Error('The page shows no story.')
      const errors: string[] = []
      // Errors come through the channel as plain objects with their fields.
      const note = (error: unknown) => void errors.push(String(Reflect.get(Object(error), 'message')))
      const nextFinish = () =>
        new Promise<void>((resolve) => {
          let isPlaying = false
          const follow = (data: unknown) => {
            const phase: unknown = Reflect.get(Object(data), 'newPhase')
            if (phase === 'playing') isPlaying = true
            else if (phase === 'played' || phase === 'errored' || phase === 'aborted') isPlaying = false
          }
          const finish = () => {
            // A story that changes its own address renders once more, and so finishes, while it is played.
            if (isPlaying) return
            channel.off('storyRenderPhaseChanged', follow)
            channel.off('storyFinished', finish)
            resolve()
          }
          channel.on('storyRenderPhaseChanged', follow)
          channel.on('storyFinished', finish)
        })
      const [last] = (channel.last('storyFinished') ?? []) as { readonly storyId: string }[]

      // First the toolbar, if it changes, which renders the previous story once more, then the story.
      const [update] = (channel.last('globalsUpdated') ?? []) as { readonly userGlobals: Record<string, unknown> }[]
      const isChanged = Object.entries(newGlobals).some(
        ([name, value]) => JSON.stringify(update?.userGlobals[name]) !== JSON.stringify(value),
      )
      let finished = nextFinish()
      if (isChanged) {
        channel.emit('updateGlobals', { globals: newGlobals })
        await finished
      }
      channel.on('storyThrewException', note)
      channel.on('playFunctionThrewException', note)
      finished = nextFinish()
      channel.emit(last?.storyId === id ? 'forceRemount' : 'setCurrentStory', { storyId: id, viewMode: 'story' })
      await finished
      channel.off('storyThrewException', note)
      channel.off('playFunctionThrewException', note)
      if (errors.length > 0) throw new Error(`The story ${id} has failed: ${errors.join('; ')}`)
      scrollTo(0, 0)
    },
    [storyId, chosen] as const,
  )
}
