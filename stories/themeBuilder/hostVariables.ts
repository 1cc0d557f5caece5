import tailwindTheme from 'tailwindcss/theme.css?raw'
import type { Scheme } from '../docs/readTokens.ts'

/** CSS declarations by property. */
export type Declarations = Readonly<Record<string, string>>

export type VariableSource = 'shadcn' | 'tailwind'

interface Mapping {
  /** The colors, for usual contrast. */
  readonly colors: Declarations
  readonly others: Declarations
  /** A CSS rule that the app needs besides. */
  readonly rule?: string
}

/** The tokens as variables that an app already has. */
export const mappings: Readonly<Record<VariableSource, Mapping>> = {
  /*
   * The variables of shadcn/ui's default theme. `--input` (1.3 : 1) and `--ring` (2.6 : 1) are too faint for what has to
   * be seen, so the kit mixes outlines itself and its focus ring follows the accent.
   */
  shadcn: {
    colors: {
      '--petstore-text': 'var(--card-foreground)',
      '--petstore-text-muted': 'color-mix(in oklab, var(--muted-foreground) 75%, var(--card-foreground))',
      '--petstore-surface': 'var(--card)',
      '--petstore-surface-hover': 'var(--accent)',
      '--petstore-surface-active': 'color-mix(in oklab, var(--accent) 95%, var(--accent-foreground))',
      '--petstore-divider': 'var(--border)',
      '--petstore-border': 'var(--border)',
      '--petstore-control-border': 'color-mix(in oklab, var(--card-foreground) 50%, var(--card))',
      '--petstore-accent': 'var(--primary)',
      '--petstore-on-accent': 'var(--primary-foreground)',
      '--petstore-danger': 'color-mix(in oklab, var(--destructive) 85%, var(--card-foreground))',
    },
    others: {
      '--petstore-radius': 'var(--radius)',
      '--petstore-control-radius': 'calc(var(--radius) * 0.8)',
    },
    rule: '/* shadcn/ui turns dark by a class, the other colors by color-scheme. */\n.dark {\n  color-scheme: dark;\n}',
  },
  /* The variables of Tailwind 4's default theme. Tailwind outputs only those that it finds used in the app's styles. */
  tailwind: {
    colors: {
      '--petstore-text': 'light-dark(var(--color-gray-900), var(--color-gray-100))',
      '--petstore-text-muted': 'light-dark(var(--color-gray-600), var(--color-gray-300))',
      '--petstore-surface': 'light-dark(var(--color-white), var(--color-gray-900))',
      '--petstore-surface-hover': 'light-dark(var(--color-gray-100), var(--color-gray-800))',
      '--petstore-surface-active': 'light-dark(var(--color-gray-200), var(--color-gray-700))',
      '--petstore-divider': 'light-dark(var(--color-gray-200), var(--color-gray-800))',
      '--petstore-border': 'light-dark(var(--color-gray-300), var(--color-gray-700))',
      '--petstore-control-border': 'light-dark(var(--color-gray-500), var(--color-gray-500))',
      '--petstore-accent': 'light-dark(var(--color-blue-700), var(--color-blue-300))',
      '--petstore-on-accent': 'light-dark(var(--color-white), var(--color-gray-950))',
      '--petstore-danger': 'light-dark(var(--color-red-700), var(--color-red-300))',
      '--petstore-danger-border': 'light-dark(var(--color-red-200), var(--color-red-900))',
      '--petstore-danger-surface': 'light-dark(var(--color-red-50), var(--color-red-950))',
      '--petstore-warning': 'light-dark(var(--color-amber-800), var(--color-amber-300))',
      '--petstore-warning-border': 'light-dark(var(--color-amber-200), var(--color-amber-900))',
      '--petstore-warning-surface': 'light-dark(var(--color-amber-50), var(--color-amber-950))',
      '--petstore-success': 'light-dark(var(--color-green-700), var(--color-green-300))',
    },
    others: {
      '--petstore-radius': 'var(--radius-lg)',
      '--petstore-control-radius': 'var(--radius-md)',
      'font-family': 'var(--font-sans)',
    },
  },
}

/** The variables of the app that a mapping uses. */
export function usedVariables(source: VariableSource): readonly string[] {
  const { colors, others } = mappings[source]
  const values = Object.values({ ...colors, ...others }).join()
  return [...new Set(Array.from(values.matchAll(/var\((--[a-z0-9-]+)\)/g), ([, name = '']) => name))]
}

/** The variables of shadcn/ui's default theme (base color neutral) that the mapping uses, in light and with `.dark`. */
export const shadcnTheme: Readonly<Record<Scheme, Declarations>> = {
  light: {
    '--radius': '0.625rem',
    '--card': 'oklch(1 0 0)',
    '--card-foreground': 'oklch(0.145 0 0)',
    '--primary': 'oklch(0.205 0 0)',
    '--primary-foreground': 'oklch(0.985 0 0)',
    '--muted-foreground': 'oklch(0.556 0 0)',
    '--accent': 'oklch(0.97 0 0)',
    '--accent-foreground': 'oklch(0.205 0 0)',
    '--destructive': 'oklch(0.577 0.245 27.325)',
    '--border': 'oklch(0.922 0 0)',
  },
  dark: {
    '--radius': '0.625rem',
    '--card': 'oklch(0.205 0 0)',
    '--card-foreground': 'oklch(0.985 0 0)',
    '--primary': 'oklch(0.922 0 0)',
    '--primary-foreground': 'oklch(0.205 0 0)',
    '--muted-foreground': 'oklch(0.708 0 0)',
    '--accent': 'oklch(0.371 0 0)',
    '--accent-foreground': 'oklch(0.985 0 0)',
    '--destructive': 'oklch(0.704 0.191 22.216)',
    '--border': 'oklch(1 0 0 / 10%)',
  },
}

const shadcn: Declarations = Object.fromEntries(
  Object.entries(shadcnTheme.light).map(([name, light]) => {
    const dark = shadcnTheme.dark[name] ?? light
    return [name, light === dark ? light : `light-dark(${light}, ${dark})`]
  }),
)

const tailwind: Declarations = Object.fromEntries(
  usedVariables('tailwind').map((name) => {
    const [, value] = new RegExp(`\\s${name}:\\s*([^;]+);`).exec(tailwindTheme) ?? []
    if (value === undefined) throw new Error(`Tailwind's theme has no ${name}.`)
    return [name, value.replaceAll(/\s+/g, ' ')]
  }),
)

/** The variables of an app of this kind that the mapping uses. Colors follow `color-scheme`. */
export const hostVariables: Readonly<Record<VariableSource, Declarations>> = { shadcn, tailwind }
