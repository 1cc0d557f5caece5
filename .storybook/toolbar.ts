import type { PlanName } from '../src/testing.ts'
import { type HostName, hostPages } from './hosts.ts'
import type { LocaleName } from './locales.ts'
import { type ScenarioName, scenarios } from './scenarios.ts'
import type { ThemeName } from './themes.ts'

/** The choices of the toolbar. Storybook keeps them in the address, so a link shows the same story to everyone. */
export interface ToolbarGlobals {
  /** `story`: the behavior that the story's own parameters set up. */
  readonly scenario: 'story' | ScenarioName
  readonly plan: 'story' | PlanName
  readonly address: 'production' | 'staging'
  readonly theme: 'system' | ThemeName | 'all'
  readonly density: 'compact' | 'regular' | 'spacious'
  readonly direction: 'locale' | 'ltr' | 'rtl'
  readonly locale: LocaleName
  readonly width: 'full' | '240' | '360' | '640' | '960'
  readonly host: 'none' | HostName
  readonly tools: 'hidden' | 'shown'
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
 * A menu whose button shows the menu's name until someone chooses another item than the first. Ten buttons that all
 * show a default value would be hard to tell apart.
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
  // The description is also the button's accessible name.
  return {
    name,
    description: `${name}: ${description}`,
    toolbar: { title: name, dynamicTitle: true, items: toolbarItems },
  }
}

const scenarioItems = Object.entries(scenarios).map(([value, { title }]) => [value as ScenarioName, title] as const)
const hostItems = Object.entries(hostPages).map(([value, { title }]) => [value as HostName, title] as const)

export const planTitles: Readonly<Record<PlanName, string>> = {
  free: 'Free: 60 a minute',
  pro: 'Pro: 300 a minute',
  business: 'Business: 1,000 a minute',
}

export const toolbarMenus = {
  scenario: menu('Scenario', 'how the service behaves', [['story', 'Story default'], ...scenarioItems]),
  plan: menu('Plan', "the API key's plan", [['story', 'Story default'], ...Object.entries(planTitles)]),
  address: menu('Address', 'the base URL', [
    ['production', 'Production'],
    ['staging', 'Staging'],
  ]),
  theme: menu('Theme', 'colors', [
    ['system', 'Same as system'],
    ['light', 'Light'],
    ['dark', 'Dark'],
    ['contrast', 'High contrast'],
    ['all', 'All side by side'],
  ]),
  density: menu('Density', 'spacing', [
    ['regular', 'Regular'],
    ['compact', 'Compact'],
    ['spacious', 'Spacious'],
  ]),
  locale: menu('Language', 'labels, numbers and times', [
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['ja', '日本語'],
    ['ar', 'العربية'],
    ['pseudo', 'Pseudo (long, accented)'],
  ]),
  direction: menu('Direction', 'text direction', [
    ['locale', 'Same as language'],
    ['ltr', 'Left to right'],
    ['rtl', 'Right to left'],
  ]),
  width: menu('Width', 'width of the story', [
    ['full', 'Full width'],
    ['960', '960 px'],
    ['640', '640 px'],
    ['360', '360 px'],
    ['240', '240 px'],
  ]),
  host: menu('Host page', 'styles of the surrounding app', [['none', 'None'], ...hostItems]),
  tools: menu('Tools', 'why calls wait', [
    ['hidden', 'Hidden'],
    ['shown', 'Below the story'],
  ]),
} satisfies Readonly<Partial<Record<keyof ToolbarGlobals, ToolbarMenu<string>>>>

export const initialGlobals: ToolbarGlobals = {
  scenario: 'story',
  plan: 'story',
  address: 'production',
  theme: 'system',
  density: 'regular',
  direction: 'locale',
  locale: 'en',
  width: 'full',
  host: 'none',
  tools: 'hidden',
}
