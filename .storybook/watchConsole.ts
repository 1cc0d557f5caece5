/** Of the environment that Storybook's tests render in, when something suspends there. */
const ofTheTest = 'The current testing environment is not configured to support act('

/** Gathers what is written to the console as an error or a warning, until the returned function gives it. */
export function watchConsole(): () => readonly string[] {
  const complaints: string[] = []
  const { error, warn } = console
  const noting =
    (write: typeof error): typeof error =>
    (...values) => {
      const text = values.map(String).join(' ')
      if (!text.startsWith(ofTheTest)) complaints.push(text)
      write(...values)
    }
  console.error = noting(error)
  console.warn = noting(warn)
  return () => {
    console.error = error
    console.warn = warn
    return complaints
  }
}
