/** Epoch ms with fractions, by the true clock of the machine, whatever `Date.now` says in this process. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()
