import { join, relative } from 'node:path'
import { storyNameFromExport, toId } from 'storybook/internal/csf'
import type { ComponentManifest, Manifests } from 'storybook/internal/types'
import { hasCode, readStoryCode } from './storyCode.ts'

const root = join(import.meta.dirname, '..')

/**
 * Gives Storybook's manifest of the components the code that the playground shows. Storybook's own code imports files of
 * this repository, and names what only stories know. A component whose stories show no code is left out.
 */
export function withStoryCode({ components: manifest, ...others }: Manifests): Manifests {
  if (!manifest) return others
  const components = Object.entries(manifest.components).flatMap(([id, component]) => {
    const withCode = componentWithCode(component)
    return withCode ? [[id, withCode] as const] : []
  })
  return { ...others, components: { ...manifest, components: Object.fromEntries(components) } }
}

function componentWithCode(component: ComponentManifest): ComponentManifest | undefined {
  const codes = readStoryCode(join(root, component.path)).filter(hasCode)
  const [first] = codes
  if (!first) return undefined
  const codeOf = new Map(codes.map(({ story, code }) => [toId(component.id, storyNameFromExport(story)), code]))
  return {
    ...withRelativePaths(component),
    import: first.imports,
    stories: component.stories.map(({ id, name, description, summary }) => ({
      id,
      name,
      description,
      summary,
      snippet: codeOf.get(id),
    })),
  }
}

/** Where the repository was when the playground was built concerns nobody. */
function withRelativePaths(component: ComponentManifest): ComponentManifest {
  return JSON.parse(JSON.stringify(component), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(root) ? relative(root, value) : value,
  )
}
