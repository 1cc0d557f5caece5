import tailwindTheme from 'tailwindcss/theme.css?raw'
import { type Declarations, usedVariables, type VariableSource } from './mappings.ts'
import { shadcnTheme } from './shadcnTheme.ts'

const tailwind: Declarations = Object.fromEntries(
  usedVariables('tailwind').map((name) => {
    const [, value] = new RegExp(`\\s${name}:\\s*([^;]+);`).exec(tailwindTheme) ?? []
    if (value === undefined) throw new Error(`Tailwind's theme has no ${name}.`)
    return [name, value.replaceAll(/\s+/g, ' ')]
  }),
)

const shadcn: Declarations = Object.fromEntries(
  Object.entries(shadcnTheme.light).map(([name, light]) => {
    const dark = shadcnTheme.dark[name] ?? light
    return [name, light === dark ? light : `light-dark(${light}, ${dark})`]
  }),
)

/** The variables of an app of this kind that the mapping uses. Colors follow `color-scheme`. */
export const hostVariables: Readonly<Record<VariableSource, Declarations>> = { shadcn, tailwind }
