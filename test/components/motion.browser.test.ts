import { expect, test } from 'vitest'
import devtools from '../../src/devtools.css?inline'
import styles from '../../src/styles.css?inline'

/** An animation or transition of a style sheet. */
interface Motion {
  readonly selector: string
  readonly duration: string
  /** What changes: properties of a transition, or of the keyframes of an animation. */
  readonly properties: readonly string[]
  /** Whether it runs only for people who have not asked for less motion. */
  readonly isOptional: boolean
}

function motionsOf(text: string): readonly Motion[] {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  const keyframes = new Map<string, string[]>()
  const motions: (Omit<Motion, 'properties'> & { readonly changes: readonly string[] })[] = []

  function read(rules: CSSRuleList, isOptional: boolean): void {
    for (const rule of rules) {
      if (rule instanceof CSSKeyframesRule) {
        const changed = [...rule.cssRules].flatMap((frame) =>
          frame instanceof CSSKeyframeRule ? [...frame.style] : [],
        )
        keyframes.set(rule.name, [...(keyframes.get(rule.name) ?? []), ...changed])
      } else if (rule instanceof CSSStyleRule) {
        const { animationName, animationDuration, transitionProperty, transitionDuration } = rule.style
        const selector = rule.selectorText
        if (!/^(?:revert)?$/.test(animationName)) {
          motions.push({ selector, duration: animationDuration, changes: [animationName], isOptional })
        }
        // `0s` comes with a delay alone. `revert` is the value of `all`, which Firefox gives to each property.
        if (!/^(?:0s|revert)?$/.test(transitionDuration)) {
          motions.push({ selector, duration: transitionDuration, changes: [transitionProperty], isOptional })
        }
        read(rule.cssRules, isOptional)
      } else if (rule instanceof CSSMediaRule) {
        read(rule.cssRules, isOptional || rule.conditionText === '(prefers-reduced-motion: no-preference)')
      } else if (rule instanceof CSSGroupingRule) read(rule.cssRules, isOptional)
    }
  }
  read(sheet.cssRules, false)
  return motions.map(({ changes, ...motion }) => ({
    ...motion,
    properties: [...new Set(changes.flatMap((change) => keyframes.get(change) ?? [change]))].toSorted(),
  }))
}

test.each([
  ['components', styles],
  ['developer tools', devtools],
])('nothing of the %s moves for people who ask for less motion', (_, text) => {
  const always = motionsOf(text).filter(({ isOptional }) => !isOptional)
  const still = /^(?:opacity|background-.*)$/
  expect(always.filter(({ properties }) => properties.some((property) => !still.test(property)))).toEqual([])
})
