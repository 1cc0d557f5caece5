import { create, type ThemeVars } from 'storybook/theming'
import type { Scheme } from './themes.ts'

/** The colors that the two schemes differ in. Most are those of `src/components/tokens.css`. */
const palettes = {
  light: {
    accent: '#1d5fd6',
    page: '#f5f7fa',
    surface: '#ffffff',
    hover: '#eef2f8',
    border: '#d3d9e2',
    text: '#1b2330',
    muted: '#556072',
    control: '#768196',
  },
  dark: {
    accent: '#5c98ff', // not the token #8fb8ff: white text stands on it, which Storybook darkens too little for the token
    page: '#0f131a',
    surface: '#181d26',
    hover: '#262e3b',
    border: '#3a4454',
    text: '#e9edf3',
    muted: '#a7b2c3',
    control: '#7f8ba0',
  },
} as const satisfies Readonly<Record<Scheme, object>>

/** The themes of Storybook's own pages: the frame around the stories, and the docs pages. */
export const brandThemes: Readonly<Record<Scheme, ThemeVars>> = { light: brandTheme('light'), dark: brandTheme('dark') }

function brandTheme(scheme: Scheme): ThemeVars {
  const { accent, page, surface, hover, border, text, muted, control } = palettes[scheme]
  return create({
    base: scheme,
    brandTitle: 'petstore-react',
    brandUrl: './',
    brandTarget: '_self',
    brandImage: logo(text),
    fontBase: 'system-ui, sans-serif',
    fontCode: 'ui-monospace, monospace',
    colorPrimary: accent,
    colorSecondary: accent,
    appBg: page,
    appContentBg: surface,
    appPreviewBg: surface,
    appHoverBg: hover,
    appBorderColor: border,
    appBorderRadius: 8,
    textColor: text,
    textMutedColor: muted,
    barBg: surface,
    barTextColor: muted,
    barHoverColor: text,
    barSelectedColor: scheme === 'light' ? accent : '#8fb8ff',
    inputBg: surface,
    inputBorder: control,
    inputTextColor: text,
    inputBorderRadius: 6,
  })
}

/** The paw of `public/favicon.svg` and the name, as the address of a picture. */
function logo(color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="176" height="32" viewBox="0 0 176 32">
<rect width="32" height="32" rx="8" fill="#1d5fd6"/><g fill="#fff">
<ellipse cx="7.9" cy="15.4" rx="2.5" ry="3.2" transform="rotate(-24 7.9 15.4)"/>
<ellipse cx="12.7" cy="9.9" rx="2.6" ry="3.5" transform="rotate(-8 12.7 9.9)"/>
<ellipse cx="19.3" cy="9.9" rx="2.6" ry="3.5" transform="rotate(8 19.3 9.9)"/>
<ellipse cx="24.1" cy="15.4" rx="2.5" ry="3.2" transform="rotate(24 24.1 15.4)"/>
<path d="M16 15.5c3.6 0 6.9 4.1 6.9 7.3 0 2-1.6 3-3.4 3-1.4 0-2.3-.6-3.5-.6s-2.1.6-3.5.6c-1.8 0-3.4-1-3.4-3 0-3.2 3.3-7.3 6.9-7.3z"/></g>
<text x="41" y="22" textLength="132" lengthAdjust="spacingAndGlyphs" font-family="system-ui, sans-serif" font-size="17" font-weight="700" fill="${color}">petstore-react</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
