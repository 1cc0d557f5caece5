import type { Contender } from '../Contender.ts'
import { ourList } from '../OurList.tsx'

export const contender: Contender = {
  ...ourList({ windowed: true }),
  isReady: () => document.querySelector('[aria-setsize]')?.checkVisibility({ visibilityProperty: true }) === true,
}
