/** The part of a profile of the DevTools protocol that is used here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples?: readonly number[]
  readonly timeDeltas?: readonly number[]
}

/** The functions with the longest self time, without idle time: name, ms, and share of all that is not idle. */
export function topFunctions({ nodes, samples = [], timeDeltas = [] }: Profile, count: number): string[][] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, lineNumber } }) => [
      id,
      functionName.startsWith('(') ? functionName : `${functionName || 'anonymous'} :${lineNumber + 1}`,
    ]),
  )
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? ''
    // Time outside of JavaScript is (program): the engine's and the page's own work.
    if (name !== '(idle)' && name !== '(root)')
      times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000)
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, time]) => [name, time.toFixed(1), ((100 * time) / all).toFixed(1)])
}
