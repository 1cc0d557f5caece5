import type { Contender } from '../Contender.ts'
import { plainList } from '../PlainList.tsx'

export const contender: Contender = { App: plainList(200) }
