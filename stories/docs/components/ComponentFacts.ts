import type { Formats } from '../../../src/labels/formats.ts'
import type { PetstoreLabels } from '../../../src/labels/en.ts'

/** What a component does, and the lines of its `SPEC.md` that require it. */
export interface Fact {
  readonly text: string
  /** The names of the lines, such as `W1`. */
  readonly spec: readonly string[]
}

export interface KeyFact extends Fact {
  readonly keys: string
}

/** The texts of one component. */
export type LabelGroup = Exclude<keyof PetstoreLabels, 'locale'>

/** Something that a screen reader speaks. `text` says when. */
export interface SpokenFact extends Fact {
  /** The words. Without it, the words are those of another component, as `text` says. */
  readonly says?: (labels: PetstoreLabels, format: Formats) => string
}

/** A picture of the component in one state, with a marker at each of these parts. */
export interface Scene {
  readonly title: string
  readonly parts: readonly string[]
}

/** What the docs page of a component says besides its props and stories. Code spans are written as in TSDoc. */
export interface ComponentFacts {
  /** The type whose fields are the parts. */
  readonly partsType: string
  /** The stories that the page shows, by the names of their exports. The page of all states has the others. */
  readonly examples: readonly string[]
  /** Together they show every part once. */
  readonly scenes: readonly Scene[]
  /** What the parts are, where the type does not say it. */
  readonly partTexts: Readonly<Record<string, string>>
  readonly keys: readonly KeyFact[]
  readonly spoken: readonly SpokenFact[]
  readonly dos: readonly string[]
  readonly donts: readonly string[]
  /** The field of `PetstoreLabels` with the component's own texts. */
  readonly labels?: LabelGroup
  /** The components whose texts it shows too. */
  readonly alsoShows: readonly string[]
}
