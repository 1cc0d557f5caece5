import type { Contender } from '../Contender.ts'
import { ourList } from '../OurList.tsx'

export const contender: Contender = ourList({})
