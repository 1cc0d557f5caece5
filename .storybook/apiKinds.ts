import type { ApiEntry } from './readApi.ts'

/** The pages of the API reference, in the order of the sidebar. */
export const apiKinds = {
  components: 'Components',
  hooks: 'Hooks and provider',
  client: 'Client',
  errors: 'Errors',
  types: 'Data and labels',
  server: 'Server',
  testing: 'Testing',
  devtools: 'Developer tools',
} as const

export type ApiKind = keyof typeof apiKinds

/** The page of the API reference that describes an export. */
export function kindOf({ path }: ApiEntry): ApiKind {
  if (path === 'client/errors.ts') return 'errors'
  const [layer = ''] = path.split('/')
  return kindsOfLayers[layer] ?? 'types'
}

/** Layers of the source. Whatever is in another one describes data or labels. */
const kindsOfLayers: Readonly<Record<string, ApiKind>> = {
  components: 'components',
  hooks: 'hooks',
  client: 'client',
  'rate-limit': 'client',
  server: 'server',
  devtools: 'devtools',
  testing: 'testing',
}

/** The id of a page in the playground's address. */
export const pageOf = (kind: ApiKind): string => `reference-${kind}--docs`

/** All names in one alphabet, so that a hook stands before its options and its result. */
export const sortNames = (names: Iterable<string>): readonly string[] =>
  [...names].toSorted((one, other) => one.localeCompare(other, 'en'))
