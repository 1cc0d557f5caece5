/** Color scheme and contrast of each theme in the toolbar. */
export const themes = {
  light: { scheme: 'light', contrast: 'usual', title: 'Light' },
  dark: { scheme: 'dark', contrast: 'usual', title: 'Dark' },
  contrast: { scheme: 'light', contrast: 'more', title: 'High contrast' },
} as const

export type ThemeName = keyof typeof themes

export const themeNames: readonly ThemeName[] = ['light', 'dark', 'contrast']
