import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compile } from 'tailwindcss'
import { describe, expect, test } from 'vitest'
import { mappings, usedVariables } from '../../stories/themeBuilder/mappings.ts'
import { shadcnTheme } from '../../stories/themeBuilder/shadcnTheme.ts'

describe('the variables of an app', () => {
  test('Tailwind writes each variable that its mapping uses, and nothing makes it refuse the CSS', async () => {
    const { colors, others } = mappings.tailwind
    const lines = Object.entries({ ...colors, ...others }).map(([property, value]) => `${property}: ${value};`)
    const folder = dirname(createRequire(import.meta.url).resolve('tailwindcss/package.json'))
    const compiler = await compile(`@import 'tailwindcss';\n.petstore-theme { ${lines.join('\n')} }`, {
      base: folder,
      loadStylesheet: async (id, base) => {
        const path = id === 'tailwindcss' ? join(folder, 'index.css') : join(base, id)
        return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
      },
    })
    const output = compiler.build([])
    const used = usedVariables('tailwind')
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !output.includes(`${name}: `))).toEqual([])
    expect(output).toContain('--petstore-accent: light-dark(var(--color-blue-700), var(--color-blue-300));')
  })

  test('the variables of shadcn/ui are known in light and dark, and no others', () => {
    const used = usedVariables('shadcn').toSorted()
    expect(used).toContain('--primary')
    expect(Object.keys(shadcnTheme.light).toSorted()).toEqual(used)
    expect(Object.keys(shadcnTheme.dark).toSorted()).toEqual(used)
  })
})
