import { clearAllMocks } from 'storybook/test'

interface PlayContext {
  readonly abortSignal: AbortSignal
  readonly canvasElement: HTMLElement
}

/** Storybook hides a docs page as soon as the reader leaves it, and aborts its stories some time later. */
const isOnScreen = ({ abortSignal, canvasElement }: PlayContext) =>
  !abortSignal.aborted && canvasElement.checkVisibility()

/** The stories that wait for their turn. */
const waiting: { readonly story: HTMLElement; readonly play: () => Promise<void> }[] = []
let lastPlay: Promise<void> = Promise.resolve()

/**
 * Plays the stories of a docs page one after the other, because they all type into the focused element. What the reader sees
 * is played first. Storybook itself plays no story on a docs page.
 */
export function playInTurn<Context extends PlayContext>(
  context: Context & { readonly playFunction?: (context: Context) => unknown },
): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({
      story: context.canvasElement,
      play: () => playQuietly(context, () => context.playFunction?.(context)).then(resolve),
    })
    lastPlay = lastPlay.then(() => {
      waiting.sort((one, other) => distanceOf(one.story) - distanceOf(other.story))
      return waiting.shift()?.play()
    })
  })
}

/** How far a story is below the top of the window, in px. What is above it comes last. */
function distanceOf(story: HTMLElement): number {
  const { top, bottom } = story.getBoundingClientRect()
  return bottom < 0 ? document.body.scrollHeight - bottom : top
}

async function playQuietly(context: PlayContext, play: () => unknown): Promise<void> {
  if (!isOnScreen(context)) return
  const readerAction = untilReaderActs()
  const { scrollX, scrollY } = window
  clearAllMocks() // the stories of a component share the mocks in its args
  try {
    await withoutScrolling(async () => play())
  } catch (error) {
    // A play function fails when the reader leaves the page, or takes the focus. That is not worth a warning.
    if (isOnScreen(context) && !readerAction.aborted) console.warn(error)
  } finally {
    if (!readerAction.aborted) scrollTo(scrollX, scrollY)
  }
}

/** Aborts when the reader clicks, types or scrolls. */
function untilReaderActs(): AbortSignal {
  const acting = new AbortController()
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    // The events of play functions are not trusted.
    addEventListener(type, ({ isTrusted }) => isTrusted && acting.abort(), { capture: true, signal: acting.signal })
  }
  return acting.signal
}

/** Keeps `focus()`, and `scrollIntoView()` inside a story, from scrolling the page away from the reader. */
async function withoutScrolling(play: () => Promise<unknown>): Promise<void> {
  const { prototype } = HTMLElement
  // Unbound on purpose: the functions below call them on the element that is to have the focus, or to be seen.
  // oxlint-disable-next-line typescript/unbound-method
  const { focus, scrollIntoView } = prototype
  prototype.focus = function focusInPlace(options) {
    focus.call(this, { ...options, preventScroll: true })
  }
  prototype.scrollIntoView = function scrollOutsideOfStories(options) {
    if (!this.closest('.sb-story')) scrollIntoView.call(this, options)
  }
  try {
    await play()
  } finally {
    Object.assign(prototype, { focus, scrollIntoView })
  }
}
