import type { Scheme } from '../docs/readTokens.ts'

/** One way to look at a theme. */
export interface Look {
  readonly title: string
  readonly scheme: Scheme
  readonly isHighContrast: boolean
}

export const looks: readonly Look[] = [
  { title: 'Light', scheme: 'light', isHighContrast: false },
  { title: 'Dark', scheme: 'dark', isHighContrast: false },
  { title: 'High contrast, light', scheme: 'light', isHighContrast: true },
  { title: 'High contrast, dark', scheme: 'dark', isHighContrast: true },
]
