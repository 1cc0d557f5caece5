/** How long a request waits for Redis, in ms of the process's own time. */
const timeout = 250
/** How much longer it may take while the process itself gets no processor time, in ms. */
const maxStall = 750
/** So that time without the processor does not count, but for a part. */
const parts = 5

/**
 * Rejects if there is no response in time. A process that was held up must not blame Redis for it: the time is divided into
 * parts, and one that ends late counts as one. After a long task timers come before what has arrived meanwhile, so it waits
 * for one more turn.
 */
export function withResponseTimeout<Response>(response: Promise<Response>): Promise<Response> {
  const end = performance.now() + timeout + maxStall
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (left: number) => {
      const isOver = left === 0 || performance.now() >= end
      const next = () => (isOver ? reject(new Error('Redis has not responded in time.')) : wait(left - 1))
      timer = setTimeout(next, isOver ? 0 : timeout / parts)
    }
    wait(parts)
    void response.then(resolve, reject).then(() => clearTimeout(timer))
  })
}
