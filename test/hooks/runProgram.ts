import { readFileSync } from 'node:fs'
import * as testingLibrary from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as swr from 'swr'
import { transformWithOxc } from 'vite'
import * as zod from 'zod/mini'
import * as client from '../../src/client.ts'
import * as devtools from '../../src/devtools.ts'
import * as index from '../../src/index.ts'
import * as de from '../../src/labels/de.ts'
import * as server from '../../src/server.ts'
import * as testing from '../../src/testing.ts'
import * as testingReact from '../../src/testing/react.ts'

// Runs what readers copy from README.md, the skill and the guides, unchanged. `examples.test.ts` checks the types.

const modules: Readonly<Record<string, object>> = {
  'petstore-react': index,
  'petstore-react/client': client,
  'petstore-react/devtools': devtools,
  'petstore-react/locales/de': de,
  'petstore-react/server': server,
  'petstore-react/testing': testing,
  'petstore-react/testing/react': testingReact,
  '@testing-library/react': testingLibrary,
  '@testing-library/user-event': { default: userEvent },
  react,
  'react/jsx-runtime': jsxRuntime,
  swr,
  'zod/mini': zod,
}

export type Program = Readonly<Record<string, unknown>>

/** Runs the only code block of a page in which a text occurs. Returns what the block declares at its top level. */
export async function runProgram(
  page: string,
  text: string,
  otherModules: Readonly<Record<string, object>> = {},
): Promise<Program> {
  const blocks = Array.from(readFileSync(page, 'utf8').matchAll(/^```tsx?\n(.*?)^```/gms), ([, code = '']) => code)
  const [block, another] = blocks.filter((code) => code.includes(text))
  if (block === undefined || another !== undefined) throw new Error(`Not one block of ${page} contains ${text}.`)
  const { code } = await transformWithOxc(block, 'program.tsx', { jsx: { runtime: 'automatic', development: false } })
  const names = Array.from(
    code.matchAll(/^(?:export )?(?:async )?(?:function|const) (?:(\w+)|\{ ([^}]+) \})/gm),
    ([, name = '', several = name]) => several,
  )
  const body = code
    .replaceAll(/^import "[^"]+\.css";$/gm, '')
    .replaceAll(/^import (\w+) from ("[^"]+");$/gm, 'const { default: $1 } = modules[$2];')
    .replaceAll(/^import \* as (\w+) from ("[^"]+");$/gm, 'const $1 = modules[$2];')
    .replaceAll(/^import \{([^}]*)\} from ("[^"]+");$/gm, (_, list: string, from: string) => {
      return `const {${list.replaceAll(' as ', ': ')}} = modules[${from}];`
    })
    .replaceAll(/^export \{[^}]*\};$/gm, '')
    .replaceAll(/^export /gm, '')
  const AsyncFunction = Object.getPrototypeOf(runProgram).constructor
  const program: unknown = await new AsyncFunction('modules', `${body}\nreturn { ${names.join(', ')} }`)({
    ...modules,
    ...otherModules,
  })
  return Object(program)
}

/** A component that a program declares. Its props have no types. */
export function componentOf(program: Program, name: string): (props: Record<string, unknown>) => react.ReactNode {
  const component = program[name]
  if (typeof component !== 'function') throw new Error(`The block declares no ${name}.`)
  return (props) => component(props)
}
