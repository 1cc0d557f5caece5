declare namespace NodeJS {
  interface ProcessEnv {
    /** Bundlers replace it with a text. Code for browsers uses nothing else of Node. */
    readonly NODE_ENV?: string
  }
}
