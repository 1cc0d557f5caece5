import type { OrderedCall } from './waitingCalls.ts'

/** One request, and the calls that share it. */
export interface Turn extends OrderedCall {
  /** In ms of the monotonic clock. */
  readonly enteredAt: number
  /** How many calls have not settled. */
  calls: number
  hasLeft: boolean
}

/** The requests that have entered the client, until all calls that share them have settled. */
export interface Turns {
  /** How many requests of people are on their way through the gate. */
  readonly people: number
  /** How many background requests are on their way through the gate. */
  readonly background: number
  /** How many requests have left and have no response yet. */
  readonly underWay: number
  /** @param calls - how many calls share the request */
  readonly begin: (call: OrderedCall, calls: number, now: number) => Turn
  /** The turn that a call of the group can join, as one more of its calls. */
  readonly join: (group: string | undefined) => Turn | undefined
  /** No later call may join one of now. */
  readonly closeGroups: () => void
  /** The request has left. */
  readonly leave: (turn: Turn) => void
  /** One call has settled. Returns whether it was the last. */
  readonly settle: (turn: Turn) => boolean
  /** Requests that have not left after some time no longer count as on their way: their runtime may be gone. */
  readonly forgetOld: (now: number) => void
}

/** In ms. */
const maxTimeOnTheWay = 1_000

export function createTurns(): Turns {
  const entering = { user: new Set<Turn>(), background: new Set<Turn>() }
  const openTurns = new Map<string, Turn>()
  let underWay = 0

  return {
    get people() {
      return entering.user.size
    },
    get background() {
      return entering.background.size
    },
    get underWay() {
      return underWay
    },
    begin: ({ user, priority, group }, calls, now) => {
      const turn: Turn = { user, priority, group, enteredAt: now, calls, hasLeft: false }
      entering[priority].add(turn)
      if (group !== undefined) openTurns.set(group, turn)
      return turn
    },
    join: (group = '') => {
      const turn = openTurns.get(group)
      if (turn) turn.calls += 1
      return turn
    },
    closeGroups: () => openTurns.clear(),
    leave: (turn) => {
      if (turn.hasLeft) return
      turn.hasLeft = true
      underWay += 1
      entering[turn.priority].delete(turn)
    },
    settle: (turn) => {
      const { priority, group = '' } = turn
      turn.calls -= 1
      if (turn.calls > 0) return false
      if (openTurns.get(group) === turn) openTurns.delete(group)
      entering[priority].delete(turn)
      if (turn.hasLeft) underWay -= 1
      return true
    },
    forgetOld: (now) => {
      for (const turns of Object.values(entering)) {
        for (const turn of turns) {
          if (now - turn.enteredAt < maxTimeOnTheWay) break
          turns.delete(turn)
        }
      }
    },
  }
}
