import { usePetstoreContext } from '../hooks/PetstoreContext.ts'
import type { PetstoreLabels } from '../labels/en.ts'
import { type Formats, formatsFor } from '../labels/formats.ts'

type Group = Exclude<keyof PetstoreLabels, 'locale'>

/** The formats of the nearest provider. */
export function useFormats(): Formats {
  const { labels, locale } = usePetstoreContext()
  return formatsFor(locale, labels?.locale)
}

/**
 * The labels of one component and the formats of the nearest provider.
 *
 * @param english - the default. Each component passes its own, so that an app loads no others
 */
export function useLabels<Name extends Group>(
  name: Name,
  english: PetstoreLabels[Name],
): { readonly labels: PetstoreLabels[Name]; readonly format: Formats } {
  const { labels } = usePetstoreContext()
  return { labels: labels?.[name] ?? english, format: useFormats() }
}
