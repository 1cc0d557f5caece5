import { fleets } from '../scenarios.ts'
import { testInvariants } from '../testInvariants.ts'

testInvariants(fleets, 1 / 8)
