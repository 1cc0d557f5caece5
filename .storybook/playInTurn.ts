let lastTurn: Promise<void> = Promise.resolve()

interface Shown {
  readonly abortSignal: AbortSignal
}

/**
 * On a docs page, which shows all stories of a component, each plays after the one before it: they all type into
 * whatever has the focus. Storybook itself plays none of them there.
 */
export function playInTurn<Context extends Shown>(
  context: Context & { readonly playFunction?: (context: Context) => unknown },
): Promise<void> {
  lastTurn = lastTurn.then(async () => {
    if (context.abortSignal.aborted) return
    try {
      await stayingInPlace(async () => context.playFunction?.(context))
    } catch (error) {
      // Unless the reader has left: the story's own page tells more.
      if (!context.abortSignal.aborted) console.warn(error)
    }
  })
  return lastTurn
}

/** What gets the focus is not scrolled to: the reader is somewhere else. */
async function stayingInPlace(play: () => Promise<unknown>): Promise<void> {
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
