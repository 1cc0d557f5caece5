import { type PartialLabels, usePetstoreContext } from '../hooks/PetstoreContext.ts'
import type { PetstoreLabels } from '../labels/en.ts'
import { type Formats, formatsFor } from '../labels/formats.ts'

type Group = Exclude<keyof PetstoreLabels, 'locale'>

export function useFormats(): Formats {
  const { labels, locale } = usePetstoreContext()
  return formatsFor(locale, labels?.locale)
}

/** The labels and formats of the provider. Each component passes its own English labels, so that an app loads no others. */
export function useLabels<Name extends Group>(
  name: Name,
  english: PetstoreLabels[Name],
  overrides?: Partial<PetstoreLabels[Name]>,
): { readonly labels: PetstoreLabels[Name]; readonly format: Formats } {
  const given: PartialLabels<PetstoreLabels[Name]> | undefined = usePetstoreContext().labels?.[name]
  return { labels: withDefaults(withDefaults(english, given), overrides), format: useFormats() }
}

/** Takes what is missing from the defaults, at every depth. */
function withDefaults<Labels>(defaults: Labels, given: PartialLabels<Labels> | undefined): Labels {
  const merge = (fallback: unknown, label: unknown): unknown => {
    if (!isGroup(fallback) || !isGroup(label)) return label ?? fallback
    return Object.fromEntries(Object.entries(fallback).map(([key, value]) => [key, merge(value, label[key])]))
  }
  // TypeScript cannot know that the result has the fields of the defaults, with the same types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return merge(defaults, given) as Labels
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
