import type { User } from './userShares.ts'

/** Items of several users, who take turns. Each change costs O(1). */
export interface RoundRobin<Item> {
  readonly size: number
  readonly add: (user: User, item: Item) => void
  readonly remove: (user: User, item: Item) => void
  /**
   * Removes the oldest item of the user whose turn it is. All other users go before the next one of theirs. Users whose
   * item is not ready are passed, and keep their place.
   */
  readonly take: (isReady?: (item: Item) => boolean) => Item | undefined
  readonly countOf: (user: User) => number
  /** The newest item of the user who has the most. Costs O(n) with n items. */
  readonly newestOfLongest: () => Item | undefined
}

export function createRoundRobin<Item>(): RoundRobin<Item> {
  /** The user whose turn it is stands first. */
  const lanes = new Map<User, Set<Item>>()
  let size = 0

  function remove(user: User, item: Item): void {
    const lane = lanes.get(user)
    if (!lane?.delete(item)) return
    size -= 1
    if (lane.size === 0) lanes.delete(user)
  }

  function take(isReady: (item: Item) => boolean = () => true): Item | undefined {
    for (const [user, lane] of lanes) {
      const [item] = lane
      if (item === undefined || !isReady(item)) continue
      remove(user, item)
      if (lanes.delete(user)) lanes.set(user, lane)
      return item
    }
    return undefined
  }

  return {
    get size() {
      return size
    },
    add: (user, item) => {
      lanes.set(user, (lanes.get(user) ?? new Set()).add(item))
      size += 1
    },
    remove,
    take,
    countOf: (user) => lanes.get(user)?.size ?? 0,
    newestOfLongest: () => {
      let longest: ReadonlySet<Item> = new Set()
      // Of equal ones the last, which belongs to the user who came last.
      for (const lane of lanes.values()) longest = lane.size >= longest.size ? lane : longest
      return [...longest].at(-1)
    },
  }
}
