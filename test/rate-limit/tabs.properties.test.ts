import { scenarios } from './scenarios.ts'
import { testInvariants } from './testInvariants.ts'

testInvariants(scenarios, 1 / 4)
