import type { PlanName } from '../src/testing.ts'
import type { LocaleName } from './locales.ts'
import { type ScenarioName, scenarios } from './scenarios.ts'

/** What the toolbar chooses. Storybook keeps it in the address, so that a link shows the same to others. */
export interface ToolbarGlobals {
  /** `story`: as the story itself sets its service up. */
  readonly scenario: 'story' | ScenarioName
  readonly plan: 'story' | PlanName
  readonly address: 'production' | 'staging'
  readonly theme: 'light' | 'dark' | 'contrast' | 'all'
  readonly density: 'compact' | 'regular' | 'spacious'
  readonly direction: 'locale' | 'ltr' | 'rtl'
  readonly locale: LocaleName
  readonly width: 'full' | '240' | '360' | '640' | '960'
}

interface ToolbarMenu<Value extends string> {
  readonly name: string
  readonly description: string
  readonly toolbar: {
    readonly title: string
    readonly dynamicTitle: true
    readonly items: { value: Value; title: string; type: 'reset' | 'item' }[]
  }
}

/**
 * A menu whose button bears its own name until something else than the first item is chosen: eight choices that are all
 * as usual would be a row of words that nobody can tell apart.
 */
function menu<Value extends string>(
  name: string,
  description: string,
  items: readonly (readonly [value: Value, title: string])[],
): ToolbarMenu<Value> {
  const toolbarItems = items.map(([value, title], index) => {
    const type = index === 0 ? ('reset' as const) : ('item' as const)
    return { value, title, type }
  })
  // The description is the button's accessible name, too.
  return {
    name,
    description: `${name}: ${description}`,
    toolbar: { title: name, dynamicTitle: true, items: toolbarItems },
  }
}

const scenarioItems = Object.entries(scenarios).map(([value, { title }]) => [value as ScenarioName, title] as const)

export const toolbarMenus = {
  scenario: menu('Scenario', 'what the service is like', [['story', "The story's own"], ...scenarioItems]),
  plan: menu('Plan', 'the plan of the API key', [
    ['story', "The story's plan"],
    ['free', 'Free: 60 a minute'],
    ['pro', 'Pro: 300 a minute'],
    ['business', 'Business: 1,000 a minute'],
  ]),
  address: menu('Address', 'the base address in use', [
    ['production', 'Production'],
    ['staging', 'Staging'],
  ]),
  theme: menu('Theme', 'the colours', [
    ['light', 'Light'],
    ['dark', 'Dark'],
    ['contrast', 'High contrast'],
    ['all', 'All side by side'],
  ]),
  density: menu('Density', 'how much room there is', [
    ['regular', 'Regular'],
    ['compact', 'Compact'],
    ['spacious', 'Spacious'],
  ]),
  locale: menu('Language', 'the words, numbers and times', [
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['ja', '日本語'],
    ['ar', 'العربية'],
    ['pseudo', 'Pseudo (long, accented)'],
  ]),
  direction: menu('Direction', 'which way text runs', [
    ['locale', "The locale's direction"],
    ['ltr', 'Left to right'],
    ['rtl', 'Right to left'],
  ]),
  width: menu('Width', 'the width around the story', [
    ['full', 'Full width'],
    ['960', '960 px'],
    ['640', '640 px'],
    ['360', '360 px'],
    ['240', '240 px'],
  ]),
} satisfies Readonly<Partial<Record<keyof ToolbarGlobals, ToolbarMenu<string>>>>

export const initialGlobals: ToolbarGlobals = {
  scenario: 'story',
  plan: 'story',
  address: 'production',
  theme: 'light',
  density: 'regular',
  direction: 'locale',
  locale: 'en',
  width: 'full',
}
