import { locales } from '../../.storybook/locales.ts'
import { initialGlobals, type ToolbarGlobals } from '../../.storybook/toolbar.ts'
import { type Formats, formatsFor } from '../../src/labels/formats.ts'
import type { WaitReason } from '../../src/index.ts'
import type { MessageComposerLabels, PetstoreLabels } from '../../src/labels/en.ts'
import type { PlayContext } from './PlayContext.ts'

type Globals = Pick<PlayContext, 'globals'>

/** The labels in the language of the story. Play functions find elements by them, so that they work in every language. */
export function labelsOf({ globals }: Globals): PetstoreLabels {
  const { locale }: ToolbarGlobals = { ...initialGlobals, ...globals }
  return locales[locale]
}

/** Formats numbers as the components of the story do. */
export const formatOf = (context: Globals): Formats => formatsFor(labelsOf(context).locale)

/** Matches the sentence about a wait for this reason. */
export function waitPattern(
  sentence: MessageComposerLabels['waiting'],
  reason: WaitReason,
  isEarliest = false,
): RegExp {
  return labelPattern((wait, time) => sentence(wait, time, reason, isEarliest))
}

/** Stands for a wait or a time. No label contains it, and the pseudo language leaves it as it is. */
const placeholder = '\u{1}'

/** Matches a label whatever wait or time it shows. */
export function labelPattern(label: (wait: string, time?: string) => string): RegExp {
  const patterns = [label(placeholder), label(placeholder, placeholder)].map((text) =>
    text
      .replace(/[~\s\]]+$/, '') // The pseudo language adds half the length of the text, which depends on the wait.
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(placeholder, '.+'),
  )
  return new RegExp(patterns.join('|'))
}
