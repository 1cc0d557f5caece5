import type { Scheme } from '../docs/readTokens.ts'

/** Two tokens of which one is seen on the other. */
export interface ContrastPair {
  readonly token: string
  readonly surface: string
  /** Text has to be read. A shape (an outline of a control, a focus ring, an icon) has to be seen. */
  readonly kind: 'text' | 'shape'
}

const surfaces = ['surface', 'surface-hover', 'surface-active', 'selected']

const texts: readonly (readonly [text: string, surface: string])[] = [
  ...surfaces.flatMap((surface) => [['text', surface] as const, ['text-muted', surface] as const]),
  ['text', 'danger-surface'],
  ['text-muted', 'danger-surface'],
  ['danger', 'danger-surface'],
  ['danger', 'surface'],
  ['warning', 'surface'],
  ['text', 'warning-surface'],
  ['text-muted', 'warning-surface'],
  ['success', 'surface'],
  ['accent-text', 'surface'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
]

const shapes: readonly (readonly [shape: string, surface: string])[] = [
  ['control-border', 'surface'],
  ['accent-text', 'selected'],
  ['focus', 'surface'],
  ['focus', 'surface-hover'],
  ['focus', 'selected'],
  ['focus', 'danger-surface'],
  ['focus', 'warning-surface'],
  ['danger', 'danger-surface'],
  ['warning', 'warning-surface'],
  ['control-border', 'warning-surface'],
  ['success-fill', 'surface'],
  ['warning-fill', 'surface'],
]

/** Every pair of tokens that the components use. */
export const contrastPairs: readonly ContrastPair[] = [
  ...texts.map(([token, surface]) => ({ token, surface, kind: 'text' as const })),
  ...shapes.map(([token, surface]) => ({ token, surface, kind: 'shape' as const })),
]

/** The lowest ratio that a pair may have: WCAG AA. In high contrast AAA for text, and for shapes, which have no AAA, 4.5. */
export function minRatio({ kind }: ContrastPair, isHighContrast: boolean): number {
  if (kind === 'text') return isHighContrast ? 7 : 4.5
  return isHighContrast ? 4.5 : 3
}

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
