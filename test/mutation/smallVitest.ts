import * as chai from 'chai'
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

/** The part of Vitest that the properties use, to define tests again and again in one process. */
interface DefinedTest {
  readonly name: string
  readonly run: () => unknown
}

let tests: DefinedTest[] = []

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export const expect = chai.expect

export function it(name: string, run: () => unknown): void {
  tests.push({ name, run })
}

/** Returns the tests that were defined since the last call. */
export function takeTests(): readonly DefinedTest[] {
  const taken = tests
  tests = []
  return taken
}
