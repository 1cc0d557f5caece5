import { watchRejections } from '../exhaustive/machine.ts'
import { installPlatform } from '../exhaustive/platform.ts'
import { search } from '../exhaustive/search.ts'
import { worlds } from '../exhaustive/worlds.ts'
import { serveMutants } from './judge.ts'

const [maxStates, ...names] = process.argv.slice(2)

console.warn = () => {}
installPlatform()
watchRejections()
serveMutants(async () => {
  let states = 0
  for (const name of names) {
    const createModel = worlds[name]
    if (!createModel) throw new Error(`There is no world "${name}".`)
    const found = await search({ createModel, isEnough: (progress) => progress.states >= Number(maxStates) })
    states += found.states
    const { counterexample } = found
    if (counterexample) return `${name}, after ${states} states: ${counterexample.problem}`
  }
  return undefined
})
