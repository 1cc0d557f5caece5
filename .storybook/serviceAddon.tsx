import { STORY_FINISHED } from 'storybook/internal/core-events'
import { definePreviewAddon } from 'storybook/internal/csf'
import { addons } from 'storybook/preview-api'
import { borrowFocus } from './borrowFocus.ts'
import { liveService } from './liveService.ts'
import { playInTurn } from './playInTurn.ts'
import { sendMessage } from './serviceMessages.ts'
import { StoryFrame } from './StoryFrame.tsx'
import { type ServiceParameters, StoryService } from './StoryService.tsx'
import { initialGlobals, type ToolbarGlobals, toolbarMenus } from './toolbar.ts'
import { ToolbarContext } from './ToolbarContext.ts'

interface ServiceTypes {
  parameters: { petstore?: ServiceParameters }
  globals: ToolbarGlobals
}

/**
 * Gives every story its own Petstore service, cache and request limit, so that stories do not affect each other. All three
 * are created again when the toolbar changes the scenario, the plan or the address.
 */
export const serviceAddon = () =>
  definePreviewAddon<ServiceTypes>({
    globalTypes: toolbarMenus,
    initialGlobals,
    beforeEach: (context) => {
      // The name is Storybook's.
      // oxlint-disable-next-line no-underscore-dangle
      const options = globalThis.__STORYBOOK_PREVIEW__?.currentRender?.renderOptions
      if (options) options.autoplay = canPlay(context)
      // `STORY_FINISHED` also comes after a failure, unlike `afterEach`.
      if (frameElement?.closest('.side-by-side')) {
        const giveFocusBack = borrowFocus()
        addons.getChannel().once(STORY_FINISHED, () => {
          giveFocusBack()
          sendMessage(parent, { type: 'petstore/story-finished' })
        })
      }
    },
    afterEach: async (context) => {
      if (context.viewMode !== 'docs') return
      if (canPlay(context)) await playInTurn(context)
      // preview.css hides a story of a docs page until `settle` marks it.
      const story: HTMLElement | null = context.canvasElement.closest('.sb-story')
      if (story) afterLayout(story, () => settle(story))
    },
    decorators: [
      (Story, context) => {
        const { id, viewMode } = context
        const { petstore = {} } = context.parameters as ServiceTypes['parameters']
        const globals = { ...initialGlobals, ...context.globals } as ToolbarGlobals
        const { scenario, plan, address, tools } = globals
        return (
          <ToolbarContext value={globals}>
            <StoryFrame storyId={id} isDocsPage={viewMode === 'docs'} globals={globals}>
              <StoryService
                key={[id, scenario, plan, address].join()}
                parameters={petstore}
                globals={globals}
                showsTools={viewMode === 'story' && tools === 'shown'}
              >
                <Story />
              </StoryService>
            </StoryFrame>
          </ToolbarContext>
        )
      },
    ],
  })

/** Shows a played story and holds its height until the window is resized, so that nothing moves when its calls end. */
function settle(story: HTMLElement): void {
  story.dataset['settled'] = 'true'
  story.style.minBlockSize = `${story.offsetHeight}px`
  addEventListener('resize', () => story.style.removeProperty('min-block-size'), { once: true })
}

/**
 * Calls `callback` one animation frame after a story has its final height: what grows and appears in the same frame
 * counts as a layout shift. Storybook gives the box around a story its height some frames after the story has grown.
 */
function afterLayout(story: Element, callback: () => void, framesLeft = 60): void {
  requestAnimationFrame(() => {
    const content = story.closest('.innerZoomElementWrapper')
    const box = content?.parentElement
    const isCut = content && box && content.scrollHeight > box.clientHeight + 1
    if (isCut && framesLeft > 0) afterLayout(story, callback, framesLeft - 1)
    else requestAnimationFrame(callback)
  })
}

declare global {
  /** A part of Storybook's internals: it has no public switch for play functions. */
  // The name is Storybook's.
  // oxlint-disable-next-line no-underscore-dangle
  var __STORYBOOK_PREVIEW__:
    | { readonly currentRender?: { readonly renderOptions?: { autoplay?: boolean } } }
    | undefined
}

/**
 * Whether a story's play function can pass. It expects the story's own mock service, so under another scenario it would
 * fail and alarm whoever made that choice.
 */
function canPlay(context: {
  readonly parameters: object
  readonly globals: object
  readonly viewMode: string
}): boolean {
  const { viewMode } = context
  const { petstore } = context.parameters as ServiceTypes['parameters']
  const { scenario, plan, theme }: ToolbarGlobals = { ...initialGlobals, ...context.globals }
  const isLive = petstore?.live === true && liveService.get() !== null
  const isAlone = petstore?.playsAlone !== true || viewMode !== 'docs'
  return isAlone && !isLive && scenario === 'story' && plan === 'story' && theme !== 'all'
}
