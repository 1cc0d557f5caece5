/** How long a region has to be in the page before what it is given is spoken, in ms. */
const settling = 100
/** How long a message can be found in the page after it was spoken, in ms. */
const lasting = 10_000

/** What may be all that assistive technology can reach while it is open. Many libraries hide the page around it. */
const dialogs = 'dialog[open], [aria-modal="true"], [role="dialog"], [role="alertdialog"]'

interface Region {
  readonly host: Node
  readonly element: HTMLElement
  messages: string[]
  speaking: ReturnType<typeof setTimeout> | undefined
  clearing: ReturnType<typeof setTimeout> | undefined
}

const regions = new WeakMap<Node, Region>()

/**
 * Lets screen readers say something, politely, in the one live region of the page: on transitions only, never on ticks.
 * Inside a dialog it is one in the dialog, since everything outside may be out of reach; inside a shadow root, one in
 * there. What is given at the same time is spoken as one. An empty message says nothing, nor does a server.
 *
 * The region outlives the components, as an empty element that does nothing.
 *
 * @param near - an element of the component that speaks
 */
export function announce(message: string, near: Element | null): void {
  const region = message === '' ? undefined : prepareRegion(near)
  if (!region) return
  region.messages.push(message)
  region.speaking ??= setTimeout(() => speak(region), settling)
}

/** Puts the region in place ahead of its first message: some screen readers miss what a new region begins with. */
export function prepareRegion(near: Element | null): Region | undefined {
  if (!near && typeof document === 'undefined') return undefined
  const page = near?.ownerDocument ?? document
  const host = hostOf(near, page)
  const known = regions.get(host)
  if (known?.element.isConnected) return known
  const element = page.createElement('div')
  element.className = 'petstore-announcer'
  element.setAttribute('role', 'status')
  // By script, which every CSP allows, and not by the style sheet: the app's own rules for `body > div` must not show it.
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
  const region: Region = { host, element, messages: [], speaking: undefined, clearing: undefined }
  regions.set(host, region)
  return region
}

function hostOf(near: Element | null, page: Document): Node {
  if (!near?.isConnected) return page.body
  const root = near.getRootNode()
  return near.closest(dialogs) ?? (root === page ? page.body : root)
}

function speak(region: Region): void {
  const { element, messages } = region
  region.speaking = undefined
  region.messages = []
  // The dialog may have closed meanwhile, perhaps because of the very thing that is to be spoken.
  if (!element.isConnected || hostOf(element, element.ownerDocument) !== region.host) {
    for (const message of messages) announce(message, element)
    return
  }
  const text = messages.join(' ')
  // What does not change is not spoken: a space at the end makes it another text.
  element.textContent = element.textContent === text ? `${text}\u00a0` : text
  clearTimeout(region.clearing)
  region.clearing = setTimeout(() => (element.textContent = ''), lasting)
}
