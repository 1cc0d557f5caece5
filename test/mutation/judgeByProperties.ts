import * as fc from 'fast-check'
import { serveMutants } from './judge.ts'
import { takeTests } from './smallVitest.ts'

// That a property fails is enough to know: the smallest scenario is not looked for.
fc.configureGlobal({ endOnFailure: true })
console.warn = () => {}

const files = process.argv.slice(2)
let loads = 0

/** Defines the tests of a file anew, by another address each time: the gate that they use stays there. */
async function loadTests(file: string): Promise<ReturnType<typeof takeTests>> {
  loads += 1
  await import(new URL(`${file}?${loads}`, import.meta.url).href)
  return takeTests()
}

for (const file of files) await loadTests(file)
serveMutants(async () => {
  for (const file of files) {
    for (const { name, run } of await loadTests(file)) {
      try {
        await run()
      } catch (error) {
        return `${name}: ${String(error).split('\n')[0]}`
      }
    }
  }
  return undefined
})
