interface PlayContext {
  readonly abortSignal: AbortSignal
}

let lastPlay: Promise<void> = Promise.resolve()

/**
 * Plays the stories of a docs page one after the other, because they all type into the focused element. Storybook
 * itself plays no story on a docs page.
 */
export function playInTurn<Context extends PlayContext>(
  context: Context & { readonly playFunction?: (context: Context) => unknown },
): Promise<void> {
  lastPlay = lastPlay.then(async () => {
    if (context.abortSignal.aborted) return
    try {
      await withoutScrolling(async () => context.playFunction?.(context))
    } catch (error) {
      // A reader who leaves the page aborts the play function, which is not worth a warning.
      if (!context.abortSignal.aborted) console.warn(error)
    }
  })
  return lastPlay
}

/** Keeps `focus()` from scrolling the page away from the reader. */
async function withoutScrolling(play: () => Promise<unknown>): Promise<void> {
  const { prototype } = HTMLElement
  // oxlint-disable-next-line typescript/unbound-method -- it is called on its element
  const { focus } = prototype
  prototype.focus = function focusInPlace(options) {
    focus.call(this, { ...options, preventScroll: true })
  }
  try {
    await play()
  } finally {
    prototype.focus = focus
  }
}
