/** Units that a process holds for its next requests. In the record they are in flight, as if they had left. */
export interface Allotment {
  readonly batch: string
  readonly count: number
  /** When the process has to give back what it has not used, in ms of the monotonic clock. */
  readonly until: number
}

export const noAllotment: Allotment = { batch: '', count: 0, until: 0 }

/** An allotment that is the process's once the update of the store has succeeded. */
export interface ProposedAllotment extends Allotment {
  /** How many units of the allotment before were used when it was proposed: the record still holds them. */
  readonly usedBefore: number
}

/** Counts the units that a process holds ahead of its requests, also while an update changes them. */
export interface HeldUnits {
  readonly batch: string
  /** How many the store holds for the process that it has not used. */
  readonly unused: number
  /** How many the process may use without asking the store, whatever becomes of an update that is under way. */
  readonly available: () => number
  readonly propose: (allotment: Allotment) => ProposedAllotment
  /** Remembers the last proposal of the update that is under way. */
  readonly begin: (proposed: ProposedAllotment | undefined) => void
  readonly commit: (proposed: ProposedAllotment) => void
  readonly use: (units: number) => void
}

/** @param monotonic - ms since some moment */
export function createHeldUnits(monotonic: () => number): HeldUnits {
  /** As it is in the store. */
  let allotment = noAllotment
  /** How many of its units have been used since. */
  let used = 0
  let proposal: ProposedAllotment | undefined

  return {
    get batch() {
      return allotment.batch
    },
    get unused() {
      return allotment.count - used
    },
    available: () => {
      if (monotonic() >= allotment.until) return 0
      const unused = allotment.count - used
      if (!proposal) return unused
      const left = proposal.count - (used - proposal.usedBefore)
      return proposal.batch === allotment.batch ? Math.min(unused, left) : 0
    },
    propose: (next) => ({ ...next, usedBefore: used }),
    begin: (proposed) => {
      proposal = proposed
    },
    commit: (proposed) => {
      allotment = proposed
      used -= proposed.usedBefore
      proposal = undefined
    },
    use: (units) => {
      used += units
    },
  }
}
