import type { Api } from '../../../.storybook/readApi.ts'
import type { ComponentFacts, Scene } from './ComponentFacts.ts'

/** What a part is, from the facts and from the source. */
export function describePart(part: string, { partsType, partTexts }: ComponentFacts, api: Api): string {
  const member = api[partsType]?.members.find(({ name }) => name === part)
  return [partTexts[part], member?.description].filter(Boolean).join(' ')
}

/** The number of the first part of a picture: the pictures of a component count on. */
export function startOf(scene: Scene, { scenes }: ComponentFacts): number {
  const earlier = scenes.slice(0, scenes.indexOf(scene))
  return 1 + earlier.reduce((count, { parts }) => count + parts.length, 0)
}

/** Says which other props a component takes. */
export function nativeProps(component: string, api: Api): string {
  const [, element = ''] = /'(\w+)'/.exec(api[`${component}Props`]?.extended.join(' ') ?? '') ?? []
  return `It also takes the props of its root element, \`<${element}>\`.`
}
