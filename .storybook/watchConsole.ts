/** The beginning of a warning that React writes in Storybook's test environment when a component suspends. */
const ignoredWarning = 'The current testing environment is not configured to support act('

/** Collects console errors and warnings. The returned function stops the collection and returns them. */
export function watchConsole(): () => readonly string[] {
  const complaints: string[] = []
  const { error, warn } = console
  const record =
    (write: typeof error): typeof error =>
    (...values) => {
      const text = values.map(String).join(' ')
      if (!text.startsWith(ignoredWarning)) complaints.push(text)
      write(...values)
    }
  console.error = record(error)
  console.warn = record(warn)
  return () => {
    console.error = error
    console.warn = warn
    return complaints
  }
}
