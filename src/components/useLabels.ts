import { usePetstoreContext } from '../hooks/PetstoreContext.ts'
import { en, type PetstoreLabels } from '../labels/en.ts'
import { type Formats, formatsFor } from '../labels/formats.ts'

/** The labels and formats of the nearest provider. */
export function useLabels(): { readonly labels: PetstoreLabels; readonly format: Formats } {
  const { labels = en, locale = labels.locale } = usePetstoreContext()
  return { labels, format: formatsFor(locale) }
}
