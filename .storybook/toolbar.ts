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
    readonly items: { value: Value; title: string }[]
  }
}

function menu<Value extends string>(
  name: string,
  description: string,
  items: readonly (readonly [value: Value, title: string])[],
): ToolbarMenu<Value> {
  const toolbarItems = items.map(([value, title]) => ({ value, title }))
  return { name, description, toolbar: { title: name, dynamicTitle: true, items: toolbarItems } }
}

const scenarioItems = Object.entries(scenarios).map(([value, { title }]) => [value as ScenarioName, title] as const)

export const toolbarMenus = {
  scenario: menu('Scenario', 'What the service is like', [['story', "The story's own"], ...scenarioItems]),
  plan: menu('Plan', 'The plan of the API key', [
    ['story', "The story's plan"],
    ['free', 'Free: 60 a minute'],
    ['pro', 'Pro: 300 a minute'],
    ['business', 'Business: 1,000 a minute'],
  ]),
  address: menu('Address', 'The base address in use', [
    ['production', 'Production'],
    ['staging', 'Staging'],
  ]),
  theme: menu('Theme', 'Colours', [
    ['light', 'Light'],
    ['dark', 'Dark'],
    ['contrast', 'High contrast'],
    ['all', 'All side by side'],
  ]),
  density: menu('Density', 'How much room there is', [
    ['compact', 'Compact'],
    ['regular', 'Regular'],
    ['spacious', 'Spacious'],
  ]),
  locale: menu('Language', 'The words, numbers and times', [
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['ja', '日本語'],
    ['ar', 'العربية'],
    ['pseudo', 'Pseudo (long, accented)'],
  ]),
  direction: menu('Direction', 'Which way text runs', [
    ['locale', "The locale's direction"],
    ['ltr', 'Left to right'],
    ['rtl', 'Right to left'],
  ]),
  width: menu('Width', 'Width of the container', [
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
