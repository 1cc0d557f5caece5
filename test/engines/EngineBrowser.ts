/** A tab of any engine. */
export interface EngineTab {
  /** Resolves when the page has loaded. */
  readonly open: (url: string) => Promise<void>
  readonly reload: () => Promise<void>
  /**
   * Runs a function in the page, which may use nothing from outside. Resolves with its result, which must be JSON. It
   * must not take long: other tabs of the same window wait.
   */
  readonly run: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Awaited<Result>>
  /**
   * Puts a tab that is not the first one in the background: Firefox and WebKitGTK hide it and slow down its timers,
   * Chromium freezes it. `show` ends that, except in WebKitGTK.
   */
  readonly hide: () => Promise<void>
  readonly show: () => Promise<void>
}

/** A browser with one profile, whether Playwright or WebDriver controls it. */
export interface EngineBrowser {
  readonly version: string
  readonly openTab: () => Promise<EngineTab>
  readonly close: () => Promise<void>
}

export interface EngineBrowserOptions {
  /** Whether the windows are private: nothing that a page stores in them outlives them. */
  readonly isPrivate?: boolean
}
