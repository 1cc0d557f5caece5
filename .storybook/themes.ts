export type Scheme = 'light' | 'dark'

/** Color scheme and contrast of each theme in the toolbar, besides the one that follows the system. */
export const themes = {
  light: { scheme: 'light', contrast: 'usual', title: 'Light' },
  dark: { scheme: 'dark', contrast: 'usual', title: 'Dark' },
  contrast: { scheme: 'light', contrast: 'more', title: 'High contrast' },
} as const satisfies Readonly<
  Record<string, { readonly scheme: Scheme; readonly contrast: 'usual' | 'more'; readonly title: string }>
>

export type ThemeName = keyof typeof themes

export const themeNames: readonly ThemeName[] = ['light', 'dark', 'contrast']
