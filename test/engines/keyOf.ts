/** The keys that are no characters, as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const keys: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
}

/** The value of a key in a WebDriver action. @throws Error if this project has not used the key yet */
export function keyOf(key: string): string {
  const value = keys[key] ?? (key.length === 1 ? key : undefined)
  if (value === undefined) throw new Error(`The key ${key} is missing in keyOf.ts.`)
  return value
}
