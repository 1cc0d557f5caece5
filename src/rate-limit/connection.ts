/** Something that can be opened and closed again, and does nothing if it is already open or closed. */
export interface Connection {
  readonly open: () => void
  readonly close: () => void
}

/** @param connect - opens the connection, and returns the function that closes it */
export function createConnection(connect: () => () => void): Connection {
  let close: (() => void) | undefined
  return {
    open: () => {
      close ??= connect()
    },
    close: () => {
      close?.()
      close = undefined
    },
  }
}
