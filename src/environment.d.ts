declare namespace NodeJS {
  interface ProcessEnv {
    /** Replaced by bundlers; the only thing of Node that code for browsers may name. */
    readonly NODE_ENV?: string
  }
}
