import type * as liveRegion from './liveRegion.ts'

/*
 * Makes screen readers speak. The live region is loaded when the first component has mounted: a page has nothing to say
 * before. If it has, or if the file cannot be loaded, the message is spoken nevertheless, without what the file adds.
 */

let loaded: typeof liveRegion | undefined
let loading: Promise<void> | undefined
let plainRegion: HTMLElement | undefined

/** Adds the region before its first message: some screen readers do not speak the text that a new region starts with. */
export function prepareRegion(near: Element | null): void {
  loading ??= import('./liveRegion.ts').then(
    (file) => {
      if (plainRegion) file.adoptRegion(plainRegion)
      loaded = file
    },
    () => {
      loading = undefined
    },
  )
  void loading.then(() => loaded?.prepareLiveRegion(near))
}

/**
 * Makes screen readers speak a message, politely, through the one live region of the page. Call it on transitions only,
 * never on ticks. An empty message does nothing.
 *
 * @param near - an element of the component that speaks
 * @param isAboutWait - whether it says that a person's request waits for the rate limit, or no longer does
 */
export function announce(message: string, near: Element | null, isAboutWait = false): void {
  if (loaded) loaded.announce(message, near, isAboutWait)
  else if (message !== '') {
    prepareRegion(near)
    speakPlainly(message, near)
  }
}

function speakPlainly(message: string, near: Element | null): void {
  // While a dialog is open, everything outside may be unreachable.
  const host = near?.closest('dialog, [aria-modal="true"]') ?? document.body
  if (plainRegion?.parentNode !== host) {
    plainRegion = document.createElement('div')
    plainRegion.className = 'petstore-announcer'
    plainRegion.setAttribute('role', 'status')
    // By script, which every CSP allows: an app's rules must not show it.
    plainRegion.style.cssText = 'position:fixed;inset:0 auto auto 0;clip-path:inset(50%)'
    host.append(plainRegion)
  }
  const region = plainRegion
  setTimeout(() => region.append(`${message} `), 100)
}

/**
 * Announces that requests have to wait, or no longer have to, unless the part that a person acted on says so within a
 * second.
 *
 * @param message - is called when it is spoken, so that it names the wait that is shown then
 */
export function announceQuota(message: () => string, near: Element | null): void {
  if (loaded) loaded.announceQuota(message, near)
  else announce(message(), near)
}
