import { clearAllMocks } from 'storybook/test'

interface PlayContext {
  readonly abortSignal: AbortSignal
  readonly canvasElement: HTMLElement
}

/** Storybook hides a docs page as soon as the reader leaves it, and aborts its stories some time later. */
const isOnScreen = ({ abortSignal, canvasElement }: PlayContext) =>
  !abortSignal.aborted && canvasElement.checkVisibility()

let lastPlay: Promise<void> = Promise.resolve()

/**
 * Plays the stories of a docs page one after the other, because they all type into the focused element. Storybook
 * itself plays no story on a docs page.
 */
export function playInTurn<Context extends PlayContext>(
  context: Context & { readonly playFunction?: (context: Context) => unknown },
): Promise<void> {
  lastPlay = lastPlay.then(async () => {
    if (!isOnScreen(context)) return
    const reader = watchReader()
    clearAllMocks() // the stories of a component share those of its args
    try {
      await withoutScrolling(async () => context.playFunction?.(context))
    } catch (error) {
      // A play function fails when the reader leaves the page, or takes the focus. That is not worth a warning.
      if (isOnScreen(context) && !reader.hasActed) console.warn(error)
    } finally {
      reader.stop()
    }
  })
  return lastPlay
}

/** Tells whether the reader has clicked or typed. */
function watchReader(): { readonly hasActed: boolean; readonly stop: () => void } {
  const stopping = new AbortController()
  let hasActed = false
  for (const type of ['pointerdown', 'keydown']) {
    // What play functions do is not trusted.
    const note = (event: Event) => void (hasActed ||= event.isTrusted)
    addEventListener(type, note, { capture: true, signal: stopping.signal })
  }
  return {
    get hasActed() {
      return hasActed
    },
    stop: () => stopping.abort(),
  }
}

/** Keeps `focus()`, and what a story shows of itself, from scrolling the page away from the reader. */
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
