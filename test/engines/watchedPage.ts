declare global {
  interface Window {
    /** Whether `complaints` are recorded: the script has run. */
    isWatching?: boolean
    /** Errors and warnings of the console, uncaught errors, and directives of the policy that something broke. */
    complaints: string[]
  }
}

window.complaints = []
window.isWatching = true
for (const level of ['error', 'warn'] as const) {
  const write = console[level]
  console[level] = (...values: unknown[]) => {
    window.complaints.push(values.map(String).join(' '))
    write(...values)
  }
}
addEventListener('error', ({ message }) => void window.complaints.push(message))
addEventListener('unhandledrejection', ({ reason }) => void window.complaints.push(String(reason)))
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => void window.complaints.push(effectiveDirective))

void import('../pages/hydrate.tsx') // after the watch has begun
