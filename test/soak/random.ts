import { createRandom as createNumbers } from '../virtualTime.ts'

/** Pseudo-random choices. The same seed gives the same choices. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  readonly next: () => number
  readonly between: (min: number, max: number) => number
  readonly chance: (probability: number) => boolean
  /** @throws RangeError if the list is empty */
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Picks by weight. */
  readonly pickWeighted: <Item>(items: readonly (readonly [weight: number, item: Item])[]) => Item
}

export function createRandom(seed: number): Random {
  const next = createNumbers(seed)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from.')
    return item
  }
  return {
    next,
    between: (min, max) => Math.floor(min + next() * (max - min)),
    chance: (probability) => next() < probability,
    pick,
    pickWeighted: (items) => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      return (items.find(([weight]) => (left -= weight) < 0) ?? pick(items))[1]
    },
  }
}
