import { developmentWarning, isDevelopment } from '../base/development.ts'

/** How long a live region has to be in the page before screen readers speak what it receives, in ms. */
const settleTime = 100
/** How long a message stays in the page after it was spoken, in ms. */
const displayTime = 10_000
/** How long a text is not announced again, and `announceQuota` is silent after `announce` has announced a wait, in ms. */
const quietTime = 1_000

/** While one of these is open, it may be all that assistive technology can reach. Many libraries hide the page around it. */
const dialogs = 'dialog[open], [aria-modal="true"], [role="dialog"], [role="alertdialog"]'

interface Region {
  readonly host: Node
  readonly element: HTMLElement
  messages: string[]
  /** What was announced within `quietTime`. */
  readonly recent: Set<string>
  speakTimer?: ReturnType<typeof setTimeout> | undefined
  clearTimer?: ReturnType<typeof setTimeout>
}

const regions = new WeakMap<Node, Region>()
/** Runs until the message of `announceQuota` is announced, or dropped for that of `announce`. */
let quotaTimer: ReturnType<typeof setTimeout> | undefined
/** Runs for `quietTime` after a wait was announced. */
let quietTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Makes screen readers speak a message, politely, through the one live region of the document. Call it on transitions
 * only, never on ticks. Inside a dialog the region is in the dialog, since everything outside may be unreachable; inside a
 * shadow root it is in the root. Messages of the same moment are spoken together. The same text is spoken once in a second,
 * however many components say it. An empty message does nothing, and neither does a call on a server.
 * The region stays in the page as an empty element after its component unmounts.
 *
 * @param near - an element of the component that speaks; without one, the region is in the body of the page
 * @param isAboutWait - whether it says that a person's request waits for the rate limit, or no longer does
 */
export function announce(message: string, near: Element | null, isAboutWait = false): void {
  const region = message === '' ? undefined : prepareRegion(near)
  if (!region) return
  if (isAboutWait) {
    clearTimeout(quotaTimer)
    clearTimeout(quietTimer)
    quietTimer = setTimeout(() => (quietTimer = undefined), quietTime)
  }
  if (region.recent.has(message)) return
  region.recent.add(message)
  setTimeout(() => region.recent.delete(message), quietTime)
  region.messages.push(message)
  region.speakTimer ??= setTimeout(() => speak(region), settleTime)
}

/** Announces that requests wait, or no longer do, unless `announce` tells of a wait within a second before or after. */
export function announceQuota(message: () => string, near: Element | null): void {
  if (quietTimer !== undefined) return
  clearTimeout(quotaTimer)
  quotaTimer = setTimeout(() => near?.isConnected && announce(message(), near), quietTime)
}

/** Adds the region before its first message: some screen readers do not speak the text that a new region starts with. */
export function prepareRegion(near: Element | null): Region | undefined {
  const page = near?.ownerDocument ?? globalThis.document
  const host = hostOf(near, page)
  if (!host) return undefined // on a server, or in the document of a frame that was removed
  const existing = regions.get(host)
  if (existing?.element.isConnected) return existing
  // Here, since every component calls this, and it comes this far once for each page, dialog and shadow root.
  if (isDevelopment && process.env.NODE_ENV !== 'production' && near) warnOfMissingStyles(near)
  const element = page.createElement('div')
  element.className = 'petstore-announcer'
  element.setAttribute('role', 'status')
  // Set by script, which every CSP allows, and not in the style sheet: an app's rules for `body > div` must not show it.
  // Fixed, so that it never makes the page scroll.
  Object.assign(element.style, {
    position: 'fixed',
    inset: '0 auto auto 0',
    inlineSize: '1px',
    blockSize: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  })
  host.appendChild(element)
  const region: Region = { host, element, messages: [], recent: new Set() }
  regions.set(host, region)
  return region
}

/** How long after the first render styles may still arrive, in ms. */
const stylesLoadTime = 1_000

/** Tells developers, once, that the page has no styles of this package. Call it in development alone. */
function warnOfMissingStyles(element: Element): void {
  setTimeout(() => {
    // Without a layout, as in jsdom, styles may be missing on purpose.
    if (element.getClientRects().length === 0) return
    const styles = element.ownerDocument.defaultView?.getComputedStyle(element)
    if (styles?.getPropertyValue('--petstore-text') !== '') return
    developmentWarning(
      'The page has no styles for its components. Import "petstore-react/styles.css" once, beside your app.',
    )
  }, stylesLoadTime)
}

function hostOf(near: Element | null, page: Document | undefined): Node | null | undefined {
  if (!near?.isConnected) return page?.body
  const root = near.getRootNode()
  return near.closest(dialogs) ?? (root === page ? page.body : root)
}

function speak(region: Region): void {
  const { element, messages } = region
  region.speakTimer = undefined
  region.messages = []
  // The dialog may have closed since the call of `announce`, perhaps because of the event that the message reports.
  if (!element.isConnected || hostOf(element, element.ownerDocument) !== region.host) {
    for (const message of messages) announce(message, element)
    return
  }
  const text = messages.join(' ')
  // Screen readers do not repeat an unchanged text. A trailing space changes it.
  element.textContent = element.textContent === text ? `${text}\u00a0` : text
  clearTimeout(region.clearTimer)
  region.clearTimer = setTimeout(() => (element.textContent = ''), displayTime)
}
